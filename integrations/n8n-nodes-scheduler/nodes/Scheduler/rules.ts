// What networks would say to a post, of which nothing is made.

import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { api } from '../api';
import { contentFields, contentOf, moreContentFields } from './targets';

const show = { resource: ['rules'] };

export const rulesFields: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show },
		options: [
			{
				name: 'Check',
				value: 'check',
				action: 'Check a post by the rules of the networks',
				description: 'Whether each network would take it, and how long the text is as it counts',
			},
		],
		default: 'check',
	},
	...contentFields(show),
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: { show },
		options: moreContentFields,
	},
];

export async function checkPost(this: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const body = contentOf(this, itemIndex);
	const path = '/platforms/validate';
	return await api(this, { method: 'POST', path, body, repeatable: true, itemIndex });
}
