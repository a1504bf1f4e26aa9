// Files: the binary data of an item, sent to where the server says, or an address that it fetches.

import { createHash } from 'node:crypto';

import {
	type IDataObject,
	type IExecuteFunctions,
	type IN8nHttpFullResponse,
	type INodeProperties,
	NodeOperationError,
	sleep,
} from 'n8n-workflow';

import { answered, api, type Call, defaultKey } from '../api';

const show = { resource: ['media'] };

export const mediaFields: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show },
		options: [
			{
				name: 'Upload',
				value: 'upload',
				action: 'Upload a file',
				description: 'Send a file, and wait until posts can have it',
			},
		],
		default: 'upload',
	},
	{
		displayName: 'Source',
		name: 'source',
		type: 'options',
		displayOptions: { show },
		options: [
			{ name: 'Public Address', value: 'url' },
			{ name: 'The Item\'s Binary Data', value: 'binary' },
		],
		default: 'binary',
	},
	{
		displayName: 'Input Binary Field',
		name: 'binaryPropertyName',
		type: 'string',
		required: true,
		default: 'data',
		displayOptions: { show: { ...show, source: ['binary'] } },
		hint: 'The name of the input field containing the file to be uploaded',
	},
	{
		displayName: 'Address',
		name: 'sourceUrl',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'https://example.com/cover.jpg',
		displayOptions: { show: { ...show, source: ['url'] } },
		description: 'A public https address, which the server fetches',
	},
	{
		displayName: 'Kind',
		name: 'kind',
		type: 'options',
		displayOptions: { show: { ...show, source: ['url'] } },
		options: [
			{ name: 'Document', value: 'document' },
			{ name: 'Picture', value: 'image' },
			{ name: 'Video', value: 'video' },
		],
		default: 'image',
	},
	{
		displayName: 'Wait for at Most (Seconds)',
		name: 'waitSeconds',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 300,
		displayOptions: { show },
		description: 'How long to wait until the server has examined the file',
	},
];

interface Upload {
	mode: 'single' | 'multipart' | 'ingest';
	uploadUrl?: string;
	headers?: Record<string, string>;
	partSize?: number;
	parts?: Array<{ partNumber: number; url: string }>;
}

/** How often bytes are sent, the first time included. */
const TRIES = 4;
const PAUSE_MS = 1_000;
/** How long sending a piece may take. */
const PART_TIMEOUT_MS = 600_000;

export async function uploadMedia(this: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const isBinary = this.getNodeParameter('source', itemIndex) === 'binary';
	const { body, bytes } = isBinary ? await described(this, itemIndex) : fetched(this, itemIndex);
	const hash = createHash('sha256').update(JSON.stringify(body)).update(bytes ?? '').digest('hex');
	const call: Call = { method: 'POST', path: '/media', body, itemIndex };
	const idempotencyKey = `${defaultKey(this, itemIndex)}:${hash}`;
	let declared = await answered(this, { ...call, idempotencyKey });
	// What an earlier try could not use is sent anew.
	if (declared.statusCode === 200 && ['failed', 'deleted'].includes(mediaOf(declared).status)) {
		declared = await answered(this, call);
	}
	const { id, status } = mediaOf(declared);
	if (bytes && status === 'awaiting_upload') {
		await send(this, itemIndex, id, bytes, (declared.body as unknown as { upload: Upload }).upload);
	}
	return await ready(this, itemIndex, id);
}

const mediaOf = ({ body }: IN8nHttpFullResponse) =>
	(body as unknown as { media: { id: string; status: string } }).media;

function fetched(caller: IExecuteFunctions, itemIndex: number): { body: IDataObject; bytes?: Buffer } {
	const sourceUrl = caller.getNodeParameter('sourceUrl', itemIndex) as string;
	return { body: { kind: caller.getNodeParameter('kind', itemIndex) as string, sourceUrl } };
}

async function described(
	caller: IExecuteFunctions,
	itemIndex: number,
): Promise<{ body: IDataObject; bytes: Buffer }> {
	const field = caller.getNodeParameter('binaryPropertyName', itemIndex) as string;
	const { mimeType, fileName } = caller.helpers.assertBinaryData(itemIndex, field);
	const bytes = await caller.helpers.getBinaryDataBuffer(itemIndex, field);
	const [type] = mimeType.split('/');
	const kind = mimeType === 'application/pdf' ? 'document' : type;
	if (!['image', 'video', 'document'].includes(kind)) {
		throw new NodeOperationError(caller.getNode(), `A file of the type ${mimeType} cannot be posted`, {
			itemIndex,
			description: 'Next: give a picture, a video or a PDF, with its type in the binary data.',
		});
	}
	return { body: { kind, mimeType, sizeBytes: bytes.length, ...(fileName && { fileName }) }, bytes };
}

async function send(
	caller: IExecuteFunctions,
	itemIndex: number,
	id: string,
	bytes: Buffer,
	upload: Upload,
): Promise<void> {
	if (upload.mode === 'single') {
		await put(caller, itemIndex, upload.uploadUrl ?? '', upload.headers ?? {}, bytes);
		await api(caller, { method: 'POST', path: `/media/${id}/uploaded`, repeatable: true, itemIndex });
		return;
	}
	const parts: IDataObject[] = [];
	const size = upload.partSize ?? bytes.length;
	for (const { partNumber, url } of upload.parts ?? []) {
		const piece = bytes.subarray((partNumber - 1) * size, partNumber * size);
		parts.push({ partNumber, etag: await put(caller, itemIndex, url, {}, piece) });
	}
	const path = `/media/${id}/complete`;
	await api(caller, { method: 'POST', path, body: { parts }, repeatable: true, itemIndex });
}

/** Sends bytes to a signed address, which no message shows, and returns their ETag. */
async function put(
	caller: IExecuteFunctions,
	itemIndex: number,
	url: string,
	headers: Record<string, string>,
	body: Buffer,
): Promise<string> {
	let said = '';
	for (let tried = 1; tried <= TRIES; tried += 1) {
		try {
			const answer = await caller.helpers.httpRequest({
				method: 'PUT',
				url,
				headers: { 'Content-Type': 'application/octet-stream', ...headers },
				body,
				timeout: PART_TIMEOUT_MS,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
			});
			if (answer.statusCode < 300) return String(answer.headers.etag ?? '');
			said = `was answered ${answer.statusCode}`;
			if (answer.statusCode < 500 && answer.statusCode !== 429) break;
		} catch (error) {
			said = `brought no answer (${(error as { code?: string }).code ?? 'the connection broke'})`;
		}
		if (tried < TRIES) await sleep(PAUSE_MS * tried);
	}
	throw new NodeOperationError(caller.getNode(), `Sending the file ${said}`, {
		itemIndex,
		description: `Next: see whether n8n can reach ${new URL(url).origin}, then run it again.`,
	});
}

async function ready(caller: IExecuteFunctions, itemIndex: number, id: string): Promise<IDataObject> {
	const seconds = caller.getNodeParameter('waitSeconds', itemIndex) as number;
	for (let waited = 0; ; waited += 1) {
		const media = await api(caller, { method: 'GET', path: `/media/${id}`, itemIndex });
		const isUnderWay = media.status === 'ingesting' || media.status === 'processing';
		if (media.status === 'ready' || (isUnderWay && waited >= seconds)) return media;
		if (!isUnderWay) {
			throw new NodeOperationError(
				caller.getNode(),
				`The file cannot be used: ${String(media.error ?? media.status)}`,
				{ itemIndex, description: 'Next: give another file.' },
			);
		}
		await sleep(PAUSE_MS);
	}
}
