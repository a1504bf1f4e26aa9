// What the runner reads: commands on standard output, and the file of outputs.

import { appendFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';

const escaped = (text) =>
  String(text).replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');

// Has the runner leave a value out of every log.
export function mask(value) {
  console.log(`::add-mask::${escaped(value)}`);
}

// Shows an error or a warning at the run.
export function annotate(kind, message) {
  console.log(`::${kind} title=scheduler::${escaped(message)}`);
}

// Tells the steps that follow.
export function output(name, value) {
  const file = process.env.GITHUB_OUTPUT;
  if (!file) return;
  // What ends the value is not to stand in it.
  const end = `end-${randomUUID()}`;
  appendFileSync(file, `${name}<<${end}\n${value}\n${end}\n`);
}
