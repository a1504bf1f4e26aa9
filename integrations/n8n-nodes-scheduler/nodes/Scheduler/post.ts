// Posts: made under an idempotency key, found, cancelled.

import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
	NodeOperationError,
} from 'n8n-workflow';

import { answered, api, defaultKey } from '../api';
import { contentFields, contentOf, moreContentFields } from './targets';

const show = (...operation: string[]) => ({ show: { resource: ['post'], operation } });

export const postFields: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['post'] } },
		options: [
			{
				name: 'Cancel',
				value: 'cancel',
				action: 'Cancel a post',
				description: 'Cancel a post that is to come, or delete a draft; what is live stays so',
			},
			{
				name: 'Create',
				value: 'create',
				action: 'Create a post',
				description: 'Post now, at a time, in the next free slots, or as a draft',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get a post',
				description: 'Show what became of a post at each account',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many posts',
				description: 'List posts, most recent first',
			},
		],
		default: 'create',
	},
	...contentFields({ resource: ['post'], operation: ['create'] }),
	{
		displayName: 'When',
		name: 'when',
		type: 'options',
		displayOptions: show('create'),
		options: [
			{ name: 'As a Draft', value: 'draft' },
			{ name: 'At a Time', value: 'instant' },
			{ name: 'At a Time on the Clock of Each Account', value: 'local' },
			{ name: 'In the Next Free Slot of Each Account', value: 'queue' },
			{ name: 'Now', value: 'now' },
		],
		default: 'now',
	},
	{
		displayName: 'Time',
		name: 'scheduledAt',
		type: 'dateTime',
		required: true,
		default: '',
		displayOptions: { show: { resource: ['post'], operation: ['create'], when: ['instant'] } },
	},
	{
		displayName: 'Local Time',
		name: 'scheduledLocal',
		type: 'string',
		required: true,
		default: '',
		placeholder: '2030-01-01T09:00',
		displayOptions: { show: { resource: ['post'], operation: ['create'], when: ['local'] } },
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: show('create'),
		options: [
			...moreContentFields,
			{
				displayName: 'Idempotency Key',
				name: 'idempotencyKey',
				type: 'string',
				default: '',
				description:
					'What the post is made once under, 8 to 200 characters. Take it from the data, such as the ID of an article with a word before it (article-42), and no run of the workflow posts it twice. Unless given, it is made of the execution, the node, its run and the item; without the run where a model uses the node as a tool.',
			},
			{
				displayName: 'Labels',
				name: 'labels',
				type: 'string',
				default: '',
				description: 'Labels to find it by, with commas between',
			},
			{
				displayName: 'Note',
				name: 'note',
				type: 'string',
				default: '',
				description: 'A note for the people of the workspace, which is never posted',
			},
		],
	},
	{
		displayName: 'Post ID',
		name: 'postId',
		type: 'string',
		required: true,
		default: '',
		displayOptions: show('get', 'cancel'),
	},
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		displayOptions: show('getAll'),
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { resource: ['post'], operation: ['getAll'], returnAll: [false] } },
		description: 'Max number of results to return',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		displayOptions: show('getAll'),
		options: [
			{
				displayName: 'Label',
				name: 'label',
				type: 'string',
				default: '',
				description: 'Only posts with this label',
			},
			{
				displayName: 'Network',
				name: 'platform',
				type: 'string',
				default: '',
				placeholder: 'mastodon',
				description: 'Only posts that go to this network',
			},
			{
				displayName: 'State',
				name: 'state',
				type: 'options',
				options: [
					{ name: 'Awaiting Approval', value: 'awaiting_approval' },
					{ name: 'Failed', value: 'failed' },
					{ name: 'In Doubt', value: 'in_doubt' },
					{ name: 'Needs Attention', value: 'needs_attention' },
					{ name: 'Unfinished', value: 'unfinished' },
				],
				default: 'needs_attention',
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				options: [
					{ name: 'Canceled', value: 'canceled' },
					{ name: 'Done', value: 'done' },
					{ name: 'Draft', value: 'draft' },
					{ name: 'Publishing', value: 'publishing' },
					{ name: 'Scheduled', value: 'scheduled' },
				],
				default: 'scheduled',
			},
			{
				displayName: 'Words',
				name: 'q',
				type: 'string',
				default: '',
				description: 'Only posts with words that begin like each of these',
			},
		],
	},
];

/** Posts that one page of a list holds at most. */
const PAGE_MAX = 500;

export async function createPost(this: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const more = this.getNodeParameter('additionalFields', itemIndex, {}) as IDataObject;
	const labels = String(more.labels ?? '').split(',').map((label) => label.trim()).filter(Boolean);
	const body = {
		...contentOf(this, itemIndex),
		...timing(this, itemIndex),
		...(labels.length > 0 && { labels }),
		...(more.note ? { note: more.note } : {}),
	};
	const idempotencyKey = String(more.idempotencyKey || defaultKey(this, itemIndex));
	const answer = await answered(this, { method: 'POST', path: '/posts', body, idempotencyKey, itemIndex });
	const post = answer.body as IDataObject;
	if (answer.headers['idempotent-body'] === 'other') {
		throw new NodeOperationError(
			this.getNode(),
			`A post was made under the idempotency key ${idempotencyKey} before, with other contents: ${String(post.id)}`,
			{ itemIndex, description: 'Nothing was posted now. Next: give this post a key of its own.' },
		);
	}
	return { ...post, isNew: answer.statusCode === 201 };
}

function timing(caller: IExecuteFunctions, itemIndex: number): IDataObject {
	const when = caller.getNodeParameter('when', itemIndex) as string;
	const time = (name: string) => String(caller.getNodeParameter(name, itemIndex));
	switch (when) {
		case 'draft':
			return { saveAsDraft: true };
		case 'instant':
			return { scheduledAt: instant(caller, itemIndex, time('scheduledAt')) };
		case 'local':
			return { scheduledLocal: time('scheduledLocal') };
		case 'queue':
			return { queue: true };
		default:
			return { publishNow: true };
	}
}

/** A time with an offset: n8n's own fields have none, and mean the zone of the workflow. */
function instant(caller: IExecuteFunctions, itemIndex: number, text: string): string {
	if (/(Z|[+-]\d{2}:?\d{2})$/i.test(text)) return text;
	const { DateTime } = caller.getWorkflowDataProxy(itemIndex);
	const zone = caller.getTimezone();
	return DateTime.fromISO(text.replace(' ', 'T'), { zone }).toISO() ?? text;
}

export async function getPost(this: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	return await api(this, { method: 'GET', path: pathOf(this, itemIndex), itemIndex });
}

/**
 * Cancels what may still be cancelled. A second DELETE would remove the record of a post that was
 * cancelled, so the post is looked at first, and must not have changed since.
 */
export async function cancelPost(this: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const path = pathOf(this, itemIndex);
	const post = await api(this, { method: 'GET', path, itemIndex });
	const { id, status } = post;
	if (!['canceled', 'draft', 'publishing', 'scheduled'].includes(String(status))) {
		throw new NodeOperationError(this.getNode(), `The post is ${String(status)} and cannot be cancelled`, {
			itemIndex,
			description: 'Field: Post ID\nAllowed: a draft, or a post that is scheduled or publishing.\nNext: look at it with the operation "Get".',
		});
	}
	if (status !== 'canceled') {
		await api(this, { method: 'DELETE', path, revision: post.revision as number, itemIndex });
	}
	return { id, canceled: true };
}

const pathOf = (caller: IExecuteFunctions, itemIndex: number) =>
	`/posts/${encodeURIComponent(String(caller.getNodeParameter('postId', itemIndex)).trim())}`;

export async function getPosts(this: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
	const filters = this.getNodeParameter('filters', itemIndex, {}) as IDataObject;
	const isAll = this.getNodeParameter('returnAll', itemIndex) as boolean;
	const most = isAll ? Infinity : (this.getNodeParameter('limit', itemIndex) as number);
	const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
	const posts: IDataObject[] = [];
	let before: string | undefined;
	do {
		const limit = Math.min(PAGE_MAX, most - posts.length);
		const query = { ...given, limit, ...(before && { before }) };
		const page = await api(this, { method: 'GET', path: '/posts', query, itemIndex });
		posts.push(...(page.data as IDataObject[]));
		before = (page.nextCursor as string | null) ?? undefined;
	} while (before !== undefined && posts.length < most);
	return posts;
}
