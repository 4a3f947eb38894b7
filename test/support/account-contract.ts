// Answers eth_call like a deployed account's contract.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';
import { pad, toFunctionSelector } from 'viem';
import type { Hex } from 'viem';

import { entryPoints } from '../../src/core/entry-points';
import type { EntryPointVersion } from '../../src/core/entry-points';
import type { NodeAnswers } from './fake-node';

/** Answers by function signature. */
export type ContractAnswers = Record<string, Json | (() => Json)>;

const ONE = pad('0x1');

/** Answers the account's functions as its contract would, except for `changes`; everything else is
 * answered by `others`. */
export function answerAsContract(
  { address, options }: KeyringAccount,
  others: NodeAnswers[string] | undefined,
  changes: ContractAnswers = {},
): (params: Json[]) => Json {
  const { owner, entryPoint: version, implementation } = options;
  const { entryPoint } = entryPoints[version as EntryPointVersion];
  const answers: ContractAnswers =
    implementation === 'safe'
      ? {
          'isOwner(address)': ONE,
          'getThreshold()': ONE,
          'isModuleEnabled(address)': ONE,
          'SUPPORTED_ENTRYPOINT()': pad(entryPoint),
        }
      : { 'owner()': pad(owner as Hex), 'entryPoint()': pad(entryPoint) };
  const bySelector = new Map(
    Object.entries({ ...answers, ...changes }).map(([name, answer]) => [
      toFunctionSelector(name),
      answer,
    ]),
  );
  return (params) => {
    const [call] = params as [{ to: string; data: string }];
    const isAccount = call.to?.toLowerCase() === address.toLowerCase();
    const answer = isAccount
      ? bySelector.get(call.data.slice(0, 10) as Hex)
      : undefined;
    if (answer !== undefined) return typeof answer === 'function' ? answer() : answer;
    return typeof others === 'function' ? others(params) : (others ?? '0x');
  };
}
