import { CronTime } from 'cron';

const LEAST_MS = 5 * 60 * 1000;

/** Returns the cron expression for a schedule in words; undefined if the service doesn't read it. */
export function cronOf(text: string): string | undefined {
	const said = text.trim().toLowerCase().replace(/[.,]/g, '').replace(/\s+/g, ' ');
	const [, minutes, from = 0] =
		/^every (\d+) min(?:ute)?s?(?: start(?:ing)?(?: at| on)? :?(\d\d?))?$/.exec(said) ?? [];
	if (60 % Number(minutes) === 0 && Number(from) < 60)
		return `${Number(from) === 0 ? '*' : `${Number(from)}-59`}/${Number(minutes)} * * * *`;
	const [, hours] = /^every (\d+) (?:hour|hr)s?$/.exec(said) ?? [];
	if (24 % Number(hours) === 0) return `0 */${Number(hours)} * * *`;
	const hourly = /^(?:hourly|every hour)(?: (?:starting )?at :?(\d\d?))?$/.exec(said);
	if (hourly && Number(hourly[1] ?? 0) < 60) return `${Number(hourly[1] ?? 0)} * * * *`;
	const daily = /^(?:daily|every day)(?: at (\d\d?)(?::(\d\d))? ?([ap]m)?)?$/.exec(said);
	if (daily) return cronOfDay(Number(daily[1] ?? 0), Number(daily[2] ?? 0), daily[3]);
	return /^(?:weekly|every week)$/.test(said) ? '0 0 * * 0' : undefined;
}

function cronOfDay(hour: number, minute: number, half?: string): string | undefined {
	const isTime = minute < 60 && (half ? hour >= 1 && hour <= 12 : hour < 24);
	const hours = half ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour;
	return isTime ? `${minute} ${hours} * * *` : undefined;
}

/** Returns a schedule's next time and the interval after it, in ms. Throws if it is invalid or too dense. */
export function runsOf({ cron, timezone }: { cron: string; timezone: string }) {
	if (!/^[\d*,/-]+(?:\s+[\d*,/-]+){4}$/.test(cron.trim()))
		throw new Error('Cron expression must contain five fields');
	const time = new CronTime(cron, timezone);
	const next = time.getNextDateFrom(new Date(), timezone);
	const intervalMs = time.getNextDateFrom(next, timezone).toMillis() - next.toMillis();
	if (intervalMs < LEAST_MS)
		throw new Error('Monitor schedule must not run more often than every 5 minutes');
	return { nextAt: next.toMillis(), intervalMs };
}
