// For "Code by Zapier", behind "Catch Raw Hook": lets an event through that the scheduler has signed
// within five minutes, and stops the Zap otherwise. Input data: secret, signature (the header
// x-service-signature-v2) and body (the raw body).
const { createHmac, timingSafeEqual } = require('crypto');

const [, seconds, signature] = /^t=([0-9]{1,15}),v2=([0-9a-f]{64})$/.exec(inputData.signature) ?? [];
if (!signature) throw new Error('the signature is missing or malformed');
const expected = createHmac('sha256', inputData.secret).update(`${seconds}.${inputData.body}`).digest();
if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) {
  throw new Error('the signature does not match');
}
if (Math.abs(Date.now() / 1000 - Number(seconds)) > 300) {
  throw new Error('the signature is more than five minutes from now');
}
return JSON.parse(inputData.body);
