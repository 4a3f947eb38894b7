// What a snap in the simulated wallet says beside transactions and signatures.
import type { Json } from '@metamask/utils';

import type { SnapBench } from './snap-bench';

/** An insight that is asked for. */
export type Responding = ReturnType<SnapBench['snap']['onTransaction']>;

/** Read what is said. */
export async function read(responding: Responding) {
  const answer = await responding;
  const { result } = answer.response as { result: { severity?: Json } };
  return { content: answer.getInterface().content, severity: result.severity ?? null };
}

/** Expect that nothing is said: it is neither an interface nor an error. */
export async function expectSilence(responding: Responding): Promise<void> {
  await expect(responding).rejects.toThrow(/getInterface/u);
}
