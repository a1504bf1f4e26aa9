// Where a post goes, and its files: fields of posts that are made and of those that are only checked.

import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
	NodeOperationError,
} from 'n8n-workflow';

import { jsonOf } from '../api';

/** The fields, for the operations that these options show. */
export const contentFields = (show: Record<string, string[]>): INodeProperties[] => [
	{
		displayName: 'Text',
		name: 'content',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		displayOptions: { show },
		description: 'What is posted. On YouTube it is the description.',
	},
	{
		displayName: 'Account Names or IDs',
		name: 'accounts',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getAccounts' },
		required: true,
		default: [],
		displayOptions: { show },
		description:
			'Where it goes. A network alone, such as "mastodon", does where one account of it is connected. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
];

/** Further fields of the same, in the collection of additional ones. */
export const moreContentFields: INodeProperties[] = [
	{
		displayName: 'Alternative Texts',
		name: 'altTexts',
		type: 'string',
		typeOptions: { multipleValues: true },
		default: [],
		description: 'What each file shows, in the order of the files',
	},
	{
		displayName: 'File IDs',
		name: 'mediaIds',
		type: 'string',
		default: '',
		description: 'Files that were uploaded before, with commas between',
	},
	{
		displayName: 'Link',
		name: 'linkUrl',
		type: 'string',
		default: '',
		description: 'An address that goes with the text',
	},
	{
		displayName: 'Options of Networks',
		name: 'options',
		type: 'json',
		default: '{}',
		description: 'Settings by network, such as {"mastodon": {"visibility": "unlisted"}}',
	},
];

/** The body that the fields make. */
export function contentOf(caller: IExecuteFunctions, itemIndex: number): IDataObject {
	const more = caller.getNodeParameter('additionalFields', itemIndex, {}) as IDataObject;
	const chosen = [caller.getNodeParameter('accounts', itemIndex) as string | string[]].flat();
	const options = jsonOf(caller, 'Options of Networks', more.options ?? {}, itemIndex);
	const names = chosen.flatMap((name) => name.split(',')).map((name) => name.trim()).filter(Boolean);
	const targets = names.map((name) => {
		const [platform, accountId] = name.split(':');
		const own = options[platform];
		return { platform, ...(accountId && { accountId }), ...(own !== undefined && { options: own }) };
	});
	const stray = Object.keys(options).filter(
		(network) => !targets.some(({ platform }) => platform === network),
	);
	if (stray.length > 0) {
		throw new NodeOperationError(
			caller.getNode(),
			`Options of Networks has ${stray.join(', ')}, where the post does not go`,
			{ itemIndex, description: 'Next: choose an account of the network, or leave its options out.' },
		);
	}
	const mediaIds = String(more.mediaIds ?? '').split(',').map((id) => id.trim()).filter(Boolean);
	const altTexts = (more.altTexts ?? []) as string[];
	return {
		content: caller.getNodeParameter('content', itemIndex) as string,
		targets,
		...(mediaIds.length > 0 && { mediaIds }),
		...(altTexts.length > 0 && { altTexts: altTexts.map((text) => text || null) }),
		...(more.linkUrl ? { linkUrl: more.linkUrl } : {}),
	};
}
