// The signature of an event: over the time of its delivery and the body as it came.

import { createHmac, timingSafeEqual } from 'node:crypto';

const HEADER = /^t=([0-9]{1,15}),v2=([0-9a-f]{64})$/;
/** How far the time of a delivery may be from now. */
const TOLERANCE_SECONDS = 5 * 60;

/** Whether a delivery comes from who knows the secret, and was signed within five minutes. */
export function isSigned(
	secret: string | undefined,
	header: string | string[] | undefined,
	body: Buffer | undefined,
	nowSeconds: number,
): boolean {
	const [, seconds, signature] = HEADER.exec(String(header)) ?? [];
	if (!secret || body === undefined || seconds === undefined || signature === undefined) return false;
	const expected = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest();
	// Takes the same time wherever the two differ.
	const isRight = timingSafeEqual(expected, Buffer.from(signature, 'hex'));
	return isRight && Math.abs(nowSeconds - Number(seconds)) <= TOLERANCE_SECONDS;
}
