// An OpenID provider for tests, of the library oidc-provider.
//
//   node provider.mjs PORT REDIRECT_URI
//
// Whoever types the name of one of the people below is that person, with any password.
import Provider from 'oidc-provider';

const [port, redirect] = process.argv.slice(2);
const people = {
  ada: { email: 'ada@house.example', email_verified: true, name: 'Ada Byron' },
  bob: { email: 'bob@house.example', email_verified: false, name: 'Bob' },
  eve: { email: 'eve@house.example', email_verified: true, name: 'Eve' },
  kim: { name: 'Kim' },
};
const provider = new Provider(`http://localhost:${port}`, {
  clients: [
    {
      client_id: 'scheduler',
      client_secret: 'a secret: of & house',
      redirect_uris: [redirect],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  pkce: { required: () => true },
  cookies: { keys: ['of the tests'] },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
});
provider.listen(Number(port), '127.0.0.1', () => console.log('listening'));
