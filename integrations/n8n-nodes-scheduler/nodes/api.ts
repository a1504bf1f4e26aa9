// Calls to the API of a scheduler, for all nodes: sent again where that makes nothing twice, and
// refused with the field that is wrong and what can be done about it.

import { createHash } from 'node:crypto';

import {
	type IDataObject,
	type IExecuteFunctions,
	type IHookFunctions,
	type IHttpRequestMethods,
	type ILoadOptionsFunctions,
	type IN8nHttpFullResponse,
	NodeApiError,
	NodeOperationError,
	sleep,
} from 'n8n-workflow';

export type Caller = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions;

/** A request to the API. */
export interface Call {
	method: IHttpRequestMethods;
	/** The path below `/v1`. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** What the thing is made once under. */
	idempotencyKey?: string;
	/** The revision that the post must still have. */
	revision?: number;
	/** A second time changes nothing; so it is of GET, and under an idempotency key. */
	repeatable?: boolean;
	/** Which item it is for. */
	itemIndex?: number;
}

interface Issue {
	platform?: string;
	severity: string;
	message: string;
}

interface ApiError {
	code: string;
	message: string;
	field?: string;
	upgradeTo?: string;
	issues?: Issue[];
}

/** How often a call is sent, the first time included. */
const TRIES = 6;
const FIRST_PAUSE_MS = 500;
/** The longest that a server may ask to be left alone. */
const LONGEST_PAUSE_MS = 60_000;
/** How long an answer may take. */
const CALL_TIMEOUT_MS = 60_000;
/** What a header takes. */
const HEADER = /^[\x20-\x7e]*$/;

/** What can be done about a refusal, by its code. */
const NEXT: Record<string, string> = {
	invalid_request: 'Change the field.',
	unauthorized: 'Give the credentials an API key of this scheduler ("scheduler keys create").',
	forbidden: 'Give the credentials an API key with that scope ("scheduler keys create --preset publish", or "full" for the trigger).',
	not_found: 'See which there are with the operation "Get Many".',
	account_not_connected: 'Connect the account again ("scheduler accounts connect").',
	media_unusable: 'Upload the file again.',
	validation_failed: 'Change the text, the files or the accounts; the resource "Rule" tries a post without making it.',
	in_flight: 'Wait until it has gone out.',
	already_started: 'Look at the post: it has begun to go out.',
	stale: 'Look at the post: it has changed meanwhile. Then run it again.',
	rate_limited: 'Have the node wait between items, or run the workflow later.',
	unavailable: 'Run it again, under the same idempotency key.',
	internal: 'Run it again, under the same idempotency key; the log of the server says more under the id of the request.',
	storage_full: 'Make room where the server keeps its database and files.',
};

/** The answer to a call, which is no refusal. */
export async function answered(caller: Caller, call: Call): Promise<IN8nHttpFullResponse> {
	const { url, apiKey } = await caller.getCredentials<{ url: string; apiKey: string }>('schedulerApi');
	checkKeys(caller, apiKey, call);
	const base = url.trim().replace(/\/+$/, '').replace(/\/v1$/, '');
	const isRepeatable = call.method === 'GET' || call.repeatable || call.idempotencyKey !== undefined;
	for (let tried = 1, pauseMs = FIRST_PAUSE_MS; ; tried += 1, pauseMs *= 2) {
		const answer = await once(caller, base, call);
		let askedMs = 0;
		if ('lost' in answer) {
			if (!isRepeatable || tried === TRIES) throw unreachable(caller, base, answer.lost, call);
		} else {
			const { statusCode } = answer;
			if (statusCode >= 200 && statusCode < 300) return answer;
			const error = errorOf(answer.body);
			const isPutOff = statusCode === 429 || (error?.code === 'in_flight' && call.idempotencyKey);
			const isFault = statusCode >= 500 && isRepeatable && error?.code !== 'storage_full';
			askedMs = asked(answer.headers['retry-after']);
			if (tried === TRIES || !(isPutOff || isFault) || askedMs > LONGEST_PAUSE_MS) {
				throw refusal(caller, base, answer, error, call);
			}
		}
		await sleep(Math.max(pauseMs, askedMs));
	}
}

/** Keys that no header takes would look like a server that cannot be reached. */
function checkKeys(caller: Caller, apiKey: string, { idempotencyKey, itemIndex }: Call): void {
	if (!HEADER.test(apiKey)) {
		throw new NodeOperationError(caller.getNode(), 'The API key holds characters that no key has', {
			itemIndex,
			description: 'Field: API Key\nAllowed: letters, digits and signs of ASCII.\nNext: copy it into the credentials again.',
		});
	}
	if (!HEADER.test(idempotencyKey ?? '')) {
		throw new NodeOperationError(caller.getNode(), 'The idempotency key holds characters that no header takes', {
			itemIndex,
			description: 'Field: Idempotency-Key\nAllowed: 8 to 200 letters, digits and signs of ASCII.\nNext: take it from an ID.',
		});
	}
}

/** How long a server asks to be left alone: in seconds, or until a date. */
function asked(header: unknown): number {
	const text = String(header ?? '0');
	const ms = /^\d+$/.test(text) ? 1000 * Number(text) : Date.parse(text) - Date.now();
	return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

/** The body of the answer to a call. */
export async function api(caller: Caller, call: Call): Promise<IDataObject> {
	return ((await answered(caller, call)).body ?? {}) as IDataObject;
}

async function once(
	caller: Caller,
	base: string,
	{ method, path, query, body, idempotencyKey, revision }: Call,
): Promise<IN8nHttpFullResponse | { lost: unknown }> {
	try {
		return (await caller.helpers.httpRequestWithAuthentication.call(caller, 'schedulerApi', {
			method,
			url: `${base}/v1${path}`,
			qs: query,
			arrayFormat: 'repeat',
			body,
			json: true,
			headers: {
				...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
				...(revision !== undefined && { 'If-Match': `"${revision}"` }),
			},
			timeout: CALL_TIMEOUT_MS,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		})) as IN8nHttpFullResponse;
	} catch (lost) {
		return { lost };
	}
}

function errorOf(body: unknown): ApiError | undefined {
	const error = (body as { error?: ApiError } | null | undefined)?.error;
	return typeof error?.message === 'string' ? error : undefined;
}

function unreachable(caller: Caller, base: string, lost: unknown, { itemIndex }: Call): NodeApiError {
	const cause = lost as { code?: string; message?: string };
	return new NodeApiError(
		caller.getNode(),
		{ message: cause.message ?? '', code: cause.code ?? '' },
		{
			message: `No answer from ${base}`,
			description: `${cause.code ?? cause.message ?? ''}. Next: see whether the address of the credentials is right and n8n can reach it. What was made meanwhile is not made twice under the same idempotency key.`,
			itemIndex,
		},
	);
}

/** A refusal: the sentence of the server, the field, what each network says, and what to do next. */
function refusal(
	caller: Caller,
	base: string,
	answer: IN8nHttpFullResponse,
	error: ApiError | undefined,
	{ itemIndex }: Call,
): NodeApiError {
	const httpCode = String(answer.statusCode);
	if (error === undefined) {
		const message = `${base} has answered ${httpCode}, but not as a scheduler does`;
		const description = 'Next: see whether the address of the credentials is right.';
		return new NodeApiError(caller.getNode(), { message }, { message, description, httpCode, itemIndex });
	}
	const found = (error.issues ?? []).filter(({ severity }) => severity === 'error');
	const next = error.upgradeTo
		? `The plan ${error.upgradeTo} would allow it.`
		: (NEXT[error.code] ?? 'Change the request; look at the thing again.');
	const description = [
		error.field && `Field: ${error.field}`,
		...found.map(({ platform, message }) => (platform ? `${platform}: ${message}` : message)),
		answer.statusCode >= 500 && `Request: ${String(answer.headers['x-request-id'] ?? '')}`,
		`Next: ${next}`,
	];
	return new NodeApiError(caller.getNode(), { ...error } as never, {
		message: error.message,
		description: description.filter(Boolean).join('\n'),
		httpCode,
		itemIndex,
	});
}

/**
 * A key that is the same when the node is tried again within an execution, and another in each turn
 * of a loop. A model that uses the node as a tool tries again by a further run, so there the run is
 * left out.
 */
export function defaultKey(caller: IExecuteFunctions, itemIndex: number): string {
	const { id, type } = caller.getNode();
	const { $runIndex } = caller.getWorkflowDataProxy(itemIndex);
	const run = type.endsWith('Tool') ? 'tool' : $runIndex;
	const within = [caller.getInstanceId(), caller.getWorkflow().id, caller.getExecutionId(), id];
	const hash = createHash('sha256').update(JSON.stringify(within)).digest('hex');
	return ['n8n', hash, run, itemIndex].join(':');
}

/** JSON that a person has written into a field. */
export function jsonOf(
	caller: IExecuteFunctions,
	name: string,
	text: unknown,
	itemIndex: number,
): IDataObject {
	let read = text;
	try {
		if (typeof text === 'string') read = text.trim() ? JSON.parse(text) : {};
	} catch {
		read = undefined;
	}
	if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as IDataObject;
	throw new NodeOperationError(caller.getNode(), `${name} is not a JSON object`, { itemIndex });
}
