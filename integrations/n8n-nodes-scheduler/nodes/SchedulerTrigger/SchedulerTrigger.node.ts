import {
	type IDataObject,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { api } from '../api';
import { isSigned } from './signature';

/** What a workflow remembers of its subscription. */
interface Subscription extends IDataObject {
	webhookId?: string;
	secret?: string;
}

export class SchedulerTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Scheduler Trigger',
		name: 'schedulerTrigger',
		icon: { light: 'file:../../icons/scheduler.svg', dark: 'file:../../icons/scheduler.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{$parameter["events"].join(", ")}}',
		description: 'Start a workflow when a post is live, has failed, or was decided on',
		defaults: { name: 'Scheduler Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'schedulerApi', required: true }],
		webhooks: [
			{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' },
		],
		properties: [
			{
				displayName: 'Events',
				name: 'events',
				type: 'multiOptions',
				required: true,
				default: ['post.published', 'post.failed'],
				options: [
					{ name: 'Account Needs to Be Connected Again', value: 'account.needs_reconnect' },
					{ name: 'Account Will Need to Be Connected Again', value: 'account.token_expiring' },
					{ name: 'Comment Was Received', value: 'comment.received' },
					{ name: 'Feed Keeps Failing', value: 'feed.failing' },
					{ name: 'File Cannot Be Used', value: 'media.failed' },
					{ name: 'File Is Ready', value: 'media.ready' },
					{ name: 'Post Has Failed', value: 'post.failed' },
					{ name: 'Post Is Published', value: 'post.published' },
					{ name: 'Post Was Decided On', value: 'post.approval_decided' },
					{ name: 'Post Was Scheduled', value: 'post.scheduled' },
				],
				description:
					'Which events start the workflow. The same event may come twice, with the same ID, by which the node "Remove Duplicates" tells.',
			},
		],
	};

	webhookMethods = {
		default: {
			/** Whether the server still has the subscription, for this address and these events. */
			async checkExists(this: IHookFunctions): Promise<boolean> {
				const known = this.getWorkflowStaticData('node') as Subscription;
				if (!known.webhookId || !known.secret) return false;
				const { data } = await api(this, { method: 'GET', path: '/workspace/webhooks' });
				const own = (data as IDataObject[]).find(({ id }) => id === known.webhookId);
				if (own === undefined) return false;
				const events = this.getNodeParameter('events') as string[];
				const has = [...(own.events as string[])].sort().join();
				const isSame = own.url === this.getNodeWebhookUrl('default') && has === [...events].sort().join();
				if (isSame && !own.disabledAt) return true;
				await forgotten(this, known);
				return false;
			},

			/**
			 * Subscribes. The secret is shown this once: a subscription of the same address whose
			 * secret is not known, such as after an answer that was lost, ends first.
			 */
			async create(this: IHookFunctions): Promise<boolean> {
				const url = this.getNodeWebhookUrl('default');
				await removed(this, (webhook) => webhook.url === url);
				const body = {
					url,
					events: this.getNodeParameter('events') as string[],
				};
				const made = await api(this, { method: 'POST', path: '/workspace/webhooks', body });
				const known = this.getWorkflowStaticData('node') as Subscription;
				known.webhookId = made.id as string;
				known.secret = made.secret as string;
				return true;
			},

			/** Ends the subscription; one that is gone already is no error. */
			async delete(this: IHookFunctions): Promise<boolean> {
				const known = this.getWorkflowStaticData('node') as Subscription;
				if (known.webhookId) await forgotten(this, known);
				return true;
			},
		},
	};

	/** Takes what was signed with the secret of the subscription, over the bytes as they came. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const { secret } = this.getWorkflowStaticData('node') as Subscription;
		const request = this.getRequestObject();
		const header = this.getHeaderData()['x-service-signature-v2'];
		if (!isSigned(secret, header, request.rawBody, Date.now() / 1000)) {
			const response = this.getResponseObject();
			response.status(400).json({ message: 'the signature is missing, wrong or out of time' }).end();
			return { noWebhookResponse: true };
		}
		return { workflowData: [this.helpers.returnJsonArray(this.getBodyData())] };
	}
}

async function removed(caller: IHookFunctions, is: (webhook: IDataObject) => boolean): Promise<void> {
	const path = '/workspace/webhooks';
	const { data } = await api(caller, { method: 'GET', path });
	for (const { id } of (data as IDataObject[]).filter(is)) {
		await api(caller, { method: 'DELETE', path: `${path}/${String(id)}` });
	}
}

async function forgotten(caller: IHookFunctions, known: Subscription): Promise<void> {
	await removed(caller, ({ id }) => id === known.webhookId);
	delete known.webhookId;
	delete known.secret;
}
