// What the runner starts: makes the post that the inputs say, and tells the steps that follow.

import { Api, Failure } from './api.mjs';
import { readInputs } from './inputs.mjs';
import { annotate, mask, output } from './runner.mjs';
import { chosen } from './targets.mjs';
import { uploaded } from './upload.mjs';

// Of a post in another state something still goes out by itself.
const IS_AT_REST = ['draft', 'done', 'canceled'];

async function main() {
  const inputs = readInputs(process.env);
  mask(inputs.key);
  const api = new Api(inputs.url, inputs.key, inputs.timeoutSeconds);
  const targets = await chosen(api, inputs.accounts, inputs.options);
  const files = [];
  for (const file of inputs.media) files.push(await uploaded(api, file, inputs.idempotencyKey));
  const body = {
    content: inputs.content,
    ...inputs.timing,
    targets,
    ...(inputs.linkUrl && { linkUrl: inputs.linkUrl }),
    ...(files.length && {
      mediaIds: files,
      altTexts: inputs.media.map(({ altText }) => altText ?? null),
    }),
  };
  const made = await api.call('POST', '/v1/posts', { body, key: inputs.idempotencyKey });
  if (made.headers.get('idempotent-body') === 'other') {
    throw new Failure({
      message: `A post was made under the idempotency key ${inputs.idempotencyKey} before, with other contents: ${made.body.id}. Nothing was posted now.`,
      input: 'idempotency-key',
      next: 'give each post of a run an idempotency-key of its own, such as one with the name of the matrix job',
    });
  }
  const isNew = made.status === 201;
  output('post-id', made.body.id);
  output('is-new', isNew);
  const follows = inputs.wait && inputs.timing.publishNow;
  const post = follows ? await followed(api, made.body) : made.body;
  const urls = post.targets.map(({ remoteUrl }) => remoteUrl).filter(Boolean);
  output('url', urls[0] ?? '');
  output('urls', JSON.stringify(urls));
  output('status', post.status);
  console.log(`${isNew ? 'Made' : 'Was made before'}: post ${post.id}, ${post.status}`);
  for (const target of post.targets) {
    console.log(`  ${target.platform}: ${target.status} ${target.remoteUrl ?? ''}`.trimEnd());
  }
  // The answer that has made the post has them, later ones do not.
  for (const { message } of (made.body.issues ?? []).filter(({ severity }) => severity === 'warning')) {
    annotate('warning', message);
  }
  for (const { platform, error, errorPermanent } of failed(post)) {
    annotate('error', [
      `${platform}: ${error}`,
      errorPermanent
        ? 'Next: change what the network objects to, then retry the post.'
        : `Next: retry it with "scheduler posts retry ${post.id}"; look at the network first where it may have taken the post.`,
    ].join('\n'));
    process.exitCode = 1;
  }
}

const failed = (post) => post.targets.filter(({ status }) => status === 'failed');

// The post once every target has ended; as it is where that takes too long, or waits for a person.
async function followed(api, made) {
  let post = made;
  while (!IS_AT_REST.includes(post.status)) {
    if (['pending', 'changes'].includes(post.approvalState)) {
      annotate('warning', 'The post waits for approval, and goes out by itself once it is approved.');
      return post;
    }
    if (!(await api.pause())) {
      annotate('warning', `The post is still ${post.status}; it goes on by itself.`);
      return post;
    }
    post = (await api.call('GET', `/v1/posts/${made.id}`)).body;
  }
  return post;
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  annotate('error', error.sentences());
  process.exitCode = 1;
}
