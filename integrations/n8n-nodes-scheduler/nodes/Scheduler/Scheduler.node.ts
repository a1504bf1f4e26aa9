import {
	type IDataObject,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type INodeExecutionData,
	type INodePropertyOptions,
	type INodeType,
	type INodeTypeDescription,
	type JsonObject,
	NodeApiError,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';

import { api } from '../api';
import { accountFields, getAccounts } from './account';
import { mediaFields, uploadMedia } from './media';
import { cancelPost, createPost, getPost, getPosts, postFields } from './post';
import { checkPost, rulesFields } from './rules';

type Operation = (this: IExecuteFunctions, itemIndex: number) => Promise<IDataObject | IDataObject[]>;

const OPERATIONS: Record<string, Record<string, Operation>> = {
	account: { getAll: getAccounts },
	media: { upload: uploadMedia },
	post: { cancel: cancelPost, create: createPost, get: getPost, getAll: getPosts },
	rules: { check: checkPost },
};

export class Scheduler implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Scheduler',
		name: 'scheduler',
		icon: { light: 'file:../../icons/scheduler.svg', dark: 'file:../../icons/scheduler.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
		description: 'Post to social networks through a scheduler of your own, never twice',
		defaults: { name: 'Scheduler' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'schedulerApi', required: true }],
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Account', value: 'account' },
					{ name: 'File', value: 'media' },
					{ name: 'Post', value: 'post' },
					{ name: 'Rule', value: 'rules' },
				],
				default: 'post',
			},
			...accountFields,
			...mediaFields,
			...postFields,
			...rulesFields,
		],
	};

	methods = {
		loadOptions: {
			async getAccounts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
				const { data } = await api(this, { method: 'GET', path: '/oauth/accounts' });
				return (data as IDataObject[]).map(({ id, platform, username, displayName }) => ({
					name: `${platform}: ${username ?? displayName ?? id}`,
					value: `${platform}:${id}`,
				}));
			},
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		const made: INodeExecutionData[] = [];
		for (let itemIndex = 0; itemIndex < items.length; itemIndex += 1) {
			try {
				const resource = this.getNodeParameter('resource', itemIndex) as string;
				const operation = this.getNodeParameter('operation', itemIndex) as string;
				const run = OPERATIONS[resource]?.[operation];
				if (run === undefined) {
					throw new NodeOperationError(this.getNode(), `There is no ${operation} of ${resource}`, {
						itemIndex,
					});
				}
				const answer = await run.call(this, itemIndex);
				const pairedItem = { item: itemIndex };
				made.push(...[answer].flat().map((json) => ({ json, pairedItem })));
			} catch (error) {
				if (this.continueOnFail()) {
					const { message, description } = error as NodeApiError;
					made.push({ json: { error: message, description }, pairedItem: { item: itemIndex } });
					continue;
				}
				if (error instanceof NodeApiError) {
					throw new NodeApiError(this.getNode(), error as unknown as JsonObject);
				}
				throw new NodeOperationError(this.getNode(), error as Error, { itemIndex });
			}
		}
		return [made];
	}
}
