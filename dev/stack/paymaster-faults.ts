// What the paymaster service can be asked to do wrong, by the context of a call:
// `{ "fault": "refuse" }`, and with `"at": "stub"` or `"at": "data"` at one call alone.
import { concat, numberToHex, pad, slice } from 'viem';
import type { Address, Hex } from 'viem';

import { codes } from '../service/failure';
import { refuse, RpcFailure } from './json-rpc';
import type { Sponsorship } from './paymaster-data';
import type { Draft } from './paymaster-request';

/** A call: for the stub before the estimate, or for what is sent. */
export type Step = 'stub' | 'data';

/** An answer, with the gas limits that some services set themselves. */
export type PaymasterAnswer = Sponsorship & Record<string, unknown>;

/** What is done to a call. */
export type PaymasterFault = {
  /** The only call that it makes sense at. */
  at?: Step;
  /** Changes what is signed. */
  before?: (draft: Draft) => Promise<Draft> | Draft;
  /** Changes what is answered; `draft` is what was signed. */
  after?: (answer: Sponsorship, draft: Draft) => PaymasterAnswer;
};

const OTHER_SENDER: Address = '0x000000000000000000000000000000000000dead';

/** All faults. */
const faultTable = {
  refuse: {
    before: () => {
      const message = 'This operation is not sponsored (a fault that was asked for).';
      throw new RpcFailure({ code: codes.refused, message });
    },
  },
  hang: { before: async () => new Promise<Draft>(() => undefined) },
  /** The signature is for another sender's operation: AA34. */
  otherSender: {
    at: 'data',
    before: (draft) => withFields(draft, () => ({ sender: OTHER_SENDER })),
  },
  /** Too short for a signature: AA33. */
  wrongLength: { after: (answer) => mapData(answer, (data) => slice(data, 0, -5)) },
  /** The form of EntryPoint 0.6 for the others, and the other way round. */
  wrongEntryPoint: { after: swapForm },
  /** Nothing at all for 0.6; a paymaster without data for the others. */
  empty: {
    after: (answer) =>
      'paymaster' in answer
        ? { ...answer, paymasterData: '0x' }
        : { paymasterAndData: '0x' },
  },
  /** Asks for more gas than was estimated, and signs that. */
  changeGas: {
    at: 'data',
    before: (draft) => withFields(draft, raiseGas),
    after: (answer, { operation }) => ({ ...answer, ...gasOf(operation) }),
  },
} satisfies Record<string, PaymasterFault>;

/**
 * Find the fault that a context asks for.
 *
 * @throws {RpcFailure} -32602 if there is none of this name.
 */
export function findFault(
  { fault, at }: Record<string, unknown>,
  step: Step,
): PaymasterFault {
  if (fault === undefined) return {};
  const row = Object.entries<PaymasterFault>(faultTable).find(
    ([name]) => name === fault,
  )?.[1];
  if (!row) return refuse(`There is no fault ${JSON.stringify(fault)}.`);
  const isWanted = at === undefined || at === step;
  return isWanted && (row.at ?? step) === step ? row : {};
}

type GasFields = Pick<
  Draft['operation'],
  'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas'
>;

function raiseGas(operation: GasFields): GasFields {
  return {
    callGasLimit: operation.callGasLimit * 2n,
    verificationGasLimit: operation.verificationGasLimit * 2n,
    preVerificationGas: operation.preVerificationGas + 10_000n,
  };
}

function gasOf(operation: GasFields): Record<keyof GasFields, Hex> {
  return {
    callGasLimit: numberToHex(operation.callGasLimit),
    verificationGasLimit: numberToHex(operation.verificationGasLimit),
    preVerificationGas: numberToHex(operation.preVerificationGas),
  };
}

function withFields(
  draft: Draft,
  change: (operation: GasFields) => Partial<GasFields & { sender: Address }>,
): Draft {
  const { operation } = draft;
  return { ...draft, operation: { ...operation, ...change(operation) } } as Draft;
}

function mapData(answer: Sponsorship, change: (data: Hex) => Hex): Sponsorship {
  return 'paymaster' in answer
    ? { ...answer, paymasterData: change(answer.paymasterData) }
    : { paymasterAndData: change(answer.paymasterAndData) };
}

function swapForm(answer: Sponsorship): Sponsorship {
  if (!('paymaster' in answer)) {
    return {
      paymaster: slice(answer.paymasterAndData, 0, 20),
      paymasterData: slice(answer.paymasterAndData, 20),
      paymasterVerificationGasLimit: '0x186a0',
      paymasterPostOpGasLimit: '0x2710',
    };
  }
  return {
    paymasterAndData: concat([
      answer.paymaster,
      pad(answer.paymasterVerificationGasLimit, { size: 16 }),
      pad(answer.paymasterPostOpGasLimit, { size: 16 }),
      answer.paymasterData,
    ]),
  };
}
