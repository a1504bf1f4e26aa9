// Accounts that posts can go to.

import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { api } from '../api';

export const accountFields: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['account'] } },
		options: [
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many accounts',
				description: 'The connected accounts, in the order of connection',
			},
		],
		default: 'getAll',
	},
];

export async function getAccounts(this: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
	const { data } = await api(this, { method: 'GET', path: '/oauth/accounts', itemIndex });
	return data as IDataObject[];
}
