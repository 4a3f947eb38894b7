// A call as it is typed: whom, how much, with what data; and as it is asked for.
import { isAddress, isHex, numberToHex, parseEther } from 'viem';
import type { Hex } from 'viem';

/** What was typed. */
export type TypedCall = { to: string; amount: string; data: string };

/** What is wrong with it, by field. */
export type CallProblems = Partial<Record<keyof TypedCall, string>>;

/** A call as the wallet is asked for it. */
export type Call = { to: Hex; value: Hex; data: Hex };

/** Nothing typed yet, but for an amount. */
export const emptyCall = (to = ''): TypedCall => ({ to, amount: '0.001', data: '' });

/** Find what is wrong with a call. */
export function findProblems({ to, amount, data }: TypedCall): CallProblems {
  return {
    ...(isAddress(to.trim()) ? {} : { to: 'An address: 0x and 40 hex digits.' }),
    ...(/^\d+(?:\.\d{1,18})?$/u.test(amount.trim())
      ? {}
      : { amount: 'An amount in ETH, such as 0.001.' }),
    ...(isBytes(data.trim()) ? {} : { data: 'Bytes in hex: 0x and pairs of digits.' }),
  };
}

/** Write a call that has no problems. */
export function toCall({ to, amount, data }: TypedCall): Call {
  return {
    to: to.trim() as Hex,
    value: numberToHex(parseEther(amount.trim())),
    data: (data.trim() || '0x') as Hex,
  };
}

/** Tell whether nothing is wrong. */
export function isSound(problems: CallProblems): boolean {
  return Object.keys(problems).length === 0;
}

function isBytes(data: string): boolean {
  return data === '' || (isHex(data) && data.length % 2 === 0);
}
