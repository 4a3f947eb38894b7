// Reading a Secret Recovery Phrase: never from arguments or the environment, which other
// programs see and shells remember, and never shown while it is typed.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Read the phrase: typed where somebody sits there, else all of what comes in. */
export async function readPhrase(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
): Promise<string> {
  if (!input.isTTY) return text(input);
  output.write('Secret Recovery Phrase (is not shown): ');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: nowhere, terminal: true });
  try {
    return await reader.question('');
  } finally {
    reader.close();
    output.write('\n');
  }
}
