// What the trials of clients for Node.js share: steps, each of which says what it found.

import { readFileSync } from 'node:fs';

// The account and the addresses, as run.py hands them over.
export const given = JSON.parse(readFileSync(process.env.CLIENTS_GIVEN, 'utf8'));

// A picture of two colours, made by run.py.
export const picture = Buffer.from(given.picture, 'base64');

// Takes one step and prints what came of it; the value of a step that failed is undefined.
export async function step(name, action) {
  try {
    const value = await action();
    console.log(`ok ${name}`);
    return value;
  } catch (error) {
    console.log(`DIFFERS ${name}: ${String(error?.message ?? error).split('\n')[0]}`);
    return undefined;
  }
}

// Fails unless the two are the same.
export function same(found, wanted, what) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what} is ${a}, not ${b}`);
}

// Fails unless the value is there.
export function there(value, what) {
  if (value === undefined || value === null || value === '') throw new Error(`${what} is missing`);
  return value;
}

// Makes a call that must be refused, and returns what the client made of the refusal.
export async function refused(action) {
  try {
    await action();
  } catch (error) {
    return error;
  }
  throw new Error('the call was not refused');
}
