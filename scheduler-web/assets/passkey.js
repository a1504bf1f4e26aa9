// Makes passkeys, and signs in with them. Forms stay as they are; a passkey fills in the answer.

const bytes = (text) => Uint8Array.from(
  atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** What a passkey has answered, as the server reads it. */
function written(credential) {
  const { response } = credential;
  const answer = { clientDataJSON: text(response.clientDataJSON) };
  if (response.attestationObject) {
    answer.attestationObject = text(response.attestationObject);
    answer.transports = response.getTransports?.() ?? [];
  } else {
    answer.authenticatorData = text(response.authenticatorData);
    answer.signature = text(response.signature);
    if (response.userHandle) answer.userHandle = text(response.userHandle);
  }
  return JSON.stringify({
    id: credential.id,
    rawId: text(credential.rawId),
    type: credential.type,
    response: answer,
    clientExtensionResults: credential.getClientExtensionResults(),
  });
}

/** Has the browser ask for a passkey. */
function asked(kind, options) {
  options.challenge = bytes(options.challenge);
  for (const list of ['excludeCredentials', 'allowCredentials']) {
    for (const known of options[list] ?? []) known.id = bytes(known.id);
  }
  if (options.user) options.user.id = bytes(options.user.id);
  return navigator.credentials[kind]({ publicKey: options });
}

for (const form of document.querySelectorAll('form[data-passkey]')) {
  form.hidden = !window.PublicKeyCredential;
  const problem = form.querySelector('[role=alert]');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    problem.textContent = '';
    const button = form.querySelector('button');
    button.disabled = true;
    try {
      const answer = await fetch(form.dataset.ask, {
        method: 'POST',
        headers: { 'X-Fragment': 'passkey' },
        body: new URLSearchParams(new FormData(form)),
      });
      if (answer.ok) {
        const credential = await asked(form.dataset.passkey, await answer.json());
        form.elements.answer.value = written(credential);
        form.submit();
        return;
      }
      problem.textContent = await answer.text();
    } catch {
      problem.textContent = problem.dataset.word;
    }
    button.disabled = false;
  });
}
