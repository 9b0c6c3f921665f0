"""A campaign's calendar as it is stored: the date, the entries, and the passing of time.

`app/calendar` counts days and knows no database; this room stores the calendar and lets time pass in one transaction.
"""
