"""What becomes of the fields of Fantasy-Calendar's exports."""

from app.calendar.imports.fields import HOUR, MARKS, SUN, Fields, Format

WEATHER = "Climates and the weather."
LOOKS = "Colours and looks of the calendar, its events, moons and seasons."
SIGHT = "What visitors of the calendar's page see and may do there."

YEAR, CLOCK, SEASONS = "static_data.year_data", "static_data.clock", "static_data.seasons"
MONTH, LEAP, MOON, ERA = f"{YEAR}.timespans[]", f"{YEAR}.leap_days[]", "static_data.moons[]", "static_data.eras[]"
SEASON, SETTINGS, CATEGORY, EVENT = f"{SEASONS}.data[]", "static_data.settings", "categories[]", "events[]"

FILE = Format(
    (
        Fields("", "name"),
        Fields(YEAR, "global_week first_day overflow"),
        Fields(MONTH, "name type length interval offset"),
        Fields(MONTH, "week", "changed", "all months share the week; weekdays of a month's own are told"),
        Fields(LEAP, "name timespan intercalary"),
        Fields(LEAP, "interval offset", "changed", "an offset moves the whole rule, as is told where it moves a part"),
        Fields(
            LEAP, "day", "changed",
            "an intercalary day is a festival before or after its month; one inside a month is moved, as is told",
        ),
        Fields(LEAP, "not_numbered", "changed", "a festival has no number in its month; where it had one, it is told"),
        Fields(LEAP, "adds_week_day", "changed", "the day without a weekday of its own, which the preview tells"),
        Fields(LEAP, "week_day", "not needed", "it belongs to adds_week_day"),
        Fields(LEAP, "removes_day removes_week_day", "changed", "such leap days are left out, as the preview tells"),
        Fields(LEAP, "show_text", "left out", LOOKS, (True,)),
        Fields(CLOCK, "enabled hours minutes"),
        Fields(CLOCK, "offset crowding link_scale render", "left out", LOOKS, (True,)),
        Fields("static_data.cycles", "data", "left out", "Cycles, such as zodiacs, and their names."),
        Fields("static_data.cycles", "format", "not needed", "it belongs to the cycles"),
        Fields(ERA, "name date.year date.timespan date.day settings.starting_era"),
        Fields(ERA, "settings.restart settings.ends_year", "changed", "an era that does not restart the count is left "
               "out, one that ends a year does not shorten it, as the preview tells"),
        Fields(ERA, "description", "left out", "Descriptions of eras."),
        Fields(ERA, "settings.use_custom_format", "left out", "How years of these eras are written."),
        Fields(ERA, "formatting", "not needed", "it belongs to use_custom_format"),
        Fields(ERA, "settings.show_as_event", "left out", "Eras as events of the calendar."),
        Fields(ERA, "settings.event_category_id", "not needed", "it belongs to show_as_event"),
        Fields(ERA, "date.epoch", "not needed", "it follows from the date"),
        Fields(MOON, "name cycle shift cycle_rounding"),
        Fields(MOON, "granularity", "changed", "every moon has the same eight phases; events find theirs by it"),
        Fields(MOON, "custom_phase custom_cycle", "changed", "a moon with phases of its own is left out, as is told"),
        Fields(MOON, "hidden", "changed", "a hidden moon is left out, as the preview tells"),
        Fields(MOON, "color shadow_color", "left out", LOOKS, ("#ffffff", "#fff", "#292b4a")),
        Fields(MOON, "id", "not needed", MARKS),
        Fields(SEASON, "name timespan day transition_length duration"),
        Fields(SEASON, "length start end", "not needed", "they follow from the others"),
        Fields(SEASON, "time", "left out", SUN),
        Fields(SEASON, "color gradient", "left out", LOOKS),
        Fields(SEASON, "id", "not needed", MARKS),
        Fields(
            f"{SEASONS}.global_settings", "periodic_seasons season_offset", "changed",
            "seasons of a length of their own begin on the same date each year, which the preview tells",
        ),
        Fields(f"{SEASONS}.global_settings", "enable_weather", "left out", WEATHER),
        Fields(
            f"{SEASONS}.global_settings", "cinematic color_enabled preset_order seed temp_sys weather_offset wind_sys",
            "not needed", "they belong to the weather and its looks",
        ),
        Fields(SEASONS, "locations", "left out", WEATHER),
        Fields(SETTINGS, "year_zero_exists"),
        Fields(SETTINGS, "hide_events", "changed", "all entries are for GMs alone"),
        Fields(SETTINGS, "hide_moons hide_eras", "changed", "hidden moons or eras are left out, as the preview tells"),
        Fields(SETTINGS, "only_reveal_today", "left out",
               "Players see no later day than today there. In Signet, set how far they see in the calendar's editor."),
        Fields(
            SETTINGS,
            "allow_view private comments only_backwards hide_all_weather hide_clock hide_future_weather "
            "hide_weather_temp hide_wind_velocity default_category",
            "left out", SIGHT, (True, "none", "-1", -1),
        ),
        Fields(
            SETTINGS, "layout show_current_month add_month_number add_year_day_number", "left out", LOOKS, ("grid",)
        ),
        Fields("dynamic_data", "year timespan day"),
        Fields("dynamic_data", "hour minute", "left out", HOUR),
        Fields("dynamic_data", "epoch current_era", "not needed", "they follow from the date"),
        Fields("dynamic_data", "location custom_location", "not needed", "they belong to the weather"),
        Fields(CATEGORY, "id category_settings.hide"),
        Fields(CATEGORY, "name", "left out", "Categories of events."),
        Fields(CATEGORY, "category_settings.player_usable", "left out", SIGHT),
        Fields(CATEGORY, "event_settings", "not needed", "they are for new events"),
        Fields(CATEGORY, "calendar_id created_at updated_at sort_by creator_id", "not needed", MARKS),
        Fields(EVENT, "name description event_category_id"),
        Fields(f"{EVENT}.data", "date has_duration duration"),
        Fields(
            f"{EVENT}.data", "conditions", "changed",
            "what a rule of Signet says; other events become notes for GMs that name their conditions, as is told",
        ),
        Fields(f"{EVENT}.data", "connected_events", "changed", "named in such notes"),
        Fields(f"{EVENT}.data", "limited_repeat", "changed", "without that limit, which the preview tells"),
        Fields(f"{EVENT}.data", "limited_repeat_num search_distance", "not needed", "they belong to limited_repeat"),
        Fields(f"{EVENT}.data", "show_first_last", "left out", LOOKS),
        Fields(f"{EVENT}.settings", "hide hide_full", "changed", "such events are for GMs alone"),
        Fields(f"{EVENT}.settings", "color text print noprint", "left out", LOOKS, ("Dark-Solid", "text")),
        Fields(EVENT, "id calendar_id creator_id created_at updated_at sort_by author", "not needed", MARKS),
    )
)  # fmt: skip
