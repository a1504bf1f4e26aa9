import type {
	IAuthenticateGeneric,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

export class SchedulerApi implements ICredentialType {
	name = 'schedulerApi';

	displayName = 'Scheduler API';

	icon: Icon = { light: 'file:../icons/scheduler.svg', dark: 'file:../icons/scheduler.dark.svg' };

	documentationUrl = 'https://scheduler.example.com/integrations/n8n-nodes-scheduler#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Address',
			name: 'url',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'https://scheduler.example.com',
			description: 'The address of your scheduler',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'Made with "scheduler keys create". The preset "publish" posts; the trigger needs "full", which may subscribe to events.',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: {
			headers: { Authorization: '=Bearer {{$credentials.apiKey}}' },
		},
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{$credentials.url.replace(/\\/+$/, "").replace(/\\/v1$/, "")}}',
			url: '/v1/oauth/accounts',
		},
	};
}
