// Where a post goes, as a person names it.

import { Failure } from './api.mjs';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const handle = (text) => text.replace(/^@/, '').toLowerCase();

// The targets of a post: one for each name.
export async function chosen(api, names, options) {
  const { data: accounts } = (await api.call('GET', '/v1/oauth/accounts')).body;
  const targets = names.map((name) => ({ name, account: named(name, accounts) }));
  const unused = Object.keys(options).filter(
    (network) => !targets.some(({ account }) => account.platform === network),
  );
  if (unused.length) {
    throw new Failure({
      message: `it has options for ${unused.join(', ')}, where the post does not go`,
      input: 'options',
      next: 'name the network in accounts, or leave its options out',
    });
  }
  return targets.map(({ account: { platform, id } }) => ({
    platform,
    accountId: id,
    ...(options[platform] && { options: options[platform] }),
  }));
}

function named(name, accounts) {
  const [network, ...rest] = name.split(':');
  const wanted = rest.join(':');
  const found = accounts.filter((account) => {
    if (ID.test(name)) return account.id === name.toLowerCase();
    if (account.platform !== network.toLowerCase()) return false;
    return !wanted || account.id === wanted || handle(account.username ?? '') === handle(wanted);
  });
  if (found.length === 1) return found[0];
  const known = (found.length ? found : accounts).map(
    ({ platform, username, id }) => `${platform}:${username ? `@${handle(username)}` : id}`,
  );
  throw new Failure({
    message: found.length
      ? `${name} fits several accounts`
      : `${name} is no connected account of this scheduler`,
    input: 'accounts',
    next: known.length ? `name one of ${known.join(', ')}` : 'connect an account first ("scheduler accounts connect")',
  });
}
