"""The campaign's calendar as it is kept: the date, the entries on it, and time that moves and acts.

`app/calendar` counts days and knows no database; this room stores, asks it, and lets time pass in one transaction.
"""
