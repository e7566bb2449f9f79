//! Dates of seconds.

/// Formats seconds since 1970 as a date and time in UTC. The date is computed as in Howard Hinnant's `civil_from_days`.
#[must_use]
pub fn date_time(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", rest / 3600, rest / 60 % 60)
}

#[cfg(test)]
mod tests {
    use super::date_time;

    #[test]
    fn seconds_become_dates() {
        assert_eq!(date_time(0), "1970-01-01 00:00");
        assert_eq!(date_time(951_827_696), "2000-02-29 12:34");
        assert_eq!(date_time(1_795_319_334), "2026-11-22 03:48");
    }
}
