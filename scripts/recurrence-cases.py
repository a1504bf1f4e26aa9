#!/usr/bin/env python3
"""Writes the occurrences of recurrence rules as python-dateutil expands them.

scheduler-core/src/recurrence/rule_cases.json holds what it printed with python-dateutil 2.9.0;
a test compares our expansion with it.

    pip install python-dateutil==2.9.0.post0
    scripts/recurrence-cases.py > scheduler-core/src/recurrence/rule_cases.json
"""

import itertools
import json
import random
from datetime import datetime, timedelta

from dateutil.rrule import rrulestr

# Rules that RFC 5545 shows in 3.8.5.3, as far as they come daily at most, and others that people
# write; a date of UNTIL holds to its end.
WRITTEN = [
    "FREQ=DAILY;COUNT=10",
    "FREQ=DAILY;UNTIL=19971224T000000",
    "FREQ=DAILY;INTERVAL=2",
    "FREQ=DAILY;INTERVAL=10;COUNT=5",
    "FREQ=YEARLY;UNTIL=20000131T140000;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
    "FREQ=DAILY;UNTIL=20000131T140000;BYMONTH=1",
    "FREQ=WEEKLY;COUNT=10",
    "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
    "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
    "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000;WKST=SU;BYDAY=MO,WE,FR",
    "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
    "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
    "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
    "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
    "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
    "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO",
    "FREQ=MONTHLY;BYMONTHDAY=-3",
    "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
    "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
    "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
    "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
    "FREQ=YEARLY;COUNT=10;BYMONTH=6,7",
    "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
    "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
    "FREQ=YEARLY;BYDAY=20MO",
    "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
    "FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
    "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
    "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
    "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
    "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
    "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5",
    "FREQ=DAILY;BYHOUR=9,13,18;BYMINUTE=0,30",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
    "FREQ=MONTHLY;BYMONTHDAY=31",
]
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]


def made_up(chance):
    """A rule that nobody has written."""
    some = lambda values: ",".join(str(value) for value in sorted(chance.sample(values, chance.randint(1, 3))))
    freq = chance.choice(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"])
    parts = [f"FREQ={freq}", f"INTERVAL={chance.choice([1, 1, 2, 3, 5])}"]
    if chance.random() < 0.4:
        parts.append(f"BYMONTH={some(range(1, 13))}")
    if chance.random() < 0.5:
        days = chance.sample(DAYS, chance.randint(1, 3))
        if freq == "MONTHLY" and chance.random() < 0.5:
            days = [f"{chance.choice([1, 2, 3, 4, -1, -2])}{day}" for day in days]
        parts.append("BYDAY=" + ",".join(days))
    elif freq in ("MONTHLY", "YEARLY", "DAILY") and chance.random() < 0.6:
        parts.append(f"BYMONTHDAY={some([1, 2, 10, 15, 28, 29, 30, 31, -1, -5])}")
    if chance.random() < 0.3:
        parts.append(f"BYHOUR={some(range(24))}")
    if chance.random() < 0.2:
        parts.append(f"WKST={chance.choice(DAYS)}")
    if freq == "MONTHLY" and len(parts) > 3 and chance.random() < 0.3:
        parts.append(f"BYSETPOS={chance.choice([1, -1, 2])}")
    return ";".join(parts)


def main():
    chance = random.Random(5545)
    cases = [(rule, datetime(1997, 9, 2, 9, 0)) for rule in WRITTEN]
    for _ in range(400):
        start = datetime(2026, 1, 1) + timedelta(minutes=chance.randrange(4 * 365 * 1440))
        cases.append((made_up(chance), start))
    out = []
    for rule, start in cases:
        first = list(itertools.islice(rrulestr(rule, dtstart=start), 15))
        if first and first[-1].year < 2100:
            times = [time.strftime("%Y-%m-%dT%H:%M") for time in first]
            out.append([rule, start.strftime("%Y-%m-%dT%H:%M"), " ".join(times)])
    print("[\n" + ",\n".join(json.dumps(one) for one in out) + "\n]")


main()
