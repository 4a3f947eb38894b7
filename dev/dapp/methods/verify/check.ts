// Looking whether an answer is right: what was found is told in words.
import { isAddressEqual } from 'viem';
import type { Hex } from 'viem';

import type { Answered, Request } from '../row';

/** What a look found. */
export type Finding = {
  /** Undefined if nothing can be said. */
  isRight?: boolean;
  text: string;
};

/** What a look at an answer needs beside the answer. */
export type CheckTools = { request: Request; signal: AbortSignal };

/** Looks at an answer; undefined if there is nothing to look at. */
export type Check = (
  answered: Answered,
  tools: CheckTools,
) => Promise<Finding | undefined>;

/** Compare who signed with who should have. */
export function compareSigner(recovered: Hex, expected: Hex): Finding {
  return isAddressEqual(recovered, expected)
    ? { isRight: true, text: `Recovered address: ${recovered}, the account's own.` }
    : {
        isRight: false,
        text: `Recovered address: ${recovered}, but the account is ${expected}.`,
      };
}

/** Get an array of params; an object has it inside. */
export function listParams(params: Answered['params']): readonly unknown[] {
  if (Array.isArray(params)) return params as unknown[];
  const { params: own } = params as { params?: unknown };
  return Array.isArray(own) ? (own as unknown[]) : [];
}
