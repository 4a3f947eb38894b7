// eth_sendUserOperation [intent, …] or [partialOperation, entryPoint?] → hash: fill, have
// it paid for, confirm, sign, send, follow. One that its owner has signed is only sent.
import { InvalidParamsError } from '../errors';
import { isSignedBy } from '../eth/sign-user-operation';
import { DUMMY_SIGNATURE, UserOperationStruct } from '../eth/user-operation';
import type { UserOperation } from '../eth/user-operation';
import type { OperationRequest } from '../fees/operation-draft';
import { parse } from '../schema/parse';
import { defineMethod } from './method';
import { assertSupport, sendOperation } from './send-operation';
import { broadcastSigned } from './sign-and-broadcast';
import type { SigningPlace } from './sign-and-broadcast';
import {
  connectBundled,
  countWanted,
  findSender,
  getSmartAccount,
  parseWanted,
  toRequest,
} from './user-operation';

const ROOT = 'eth_sendUserOperation: params';

/** Sends a user operation. */
export const ethSendUserOperation = defineMethod({
  name: 'eth_sendUserOperation',
  accountType: 'eip155:erc4337',
  signs: true,
  isForDapps: true,
  takesOptions: true,
  parse: (params) => parseWanted(params, ROOT),
  findAddresses: findSender,
  countCalls: countWanted,
  run: async (wanted, asked, services) => {
    const account = getSmartAccount(asked.account);
    const request = toRequest(wanted, account);
    const chain = await connectBundled(asked, services);
    const { origin, options } = asked;
    const place = { account, origin, chain };
    if (isSigned(request)) {
      const operation = getSigned(request, place);
      await assertSupport(place);
      return broadcastSigned(operation, place, services);
    }
    const title = 'userOperation.send';
    return sendOperation(request, { ...place, options, title }, services);
  },
});

// What stands for a signature in an estimate is none.
function isSigned({ signature = '0x' }: OperationRequest): boolean {
  return signature !== '0x' && signature.toLowerCase() !== DUMMY_SIGNATURE;
}

function getSigned(
  request: OperationRequest,
  { account, chain }: SigningPlace,
): UserOperation {
  const { entryPoint, owner, address } = account;
  // The unpacked form leaves out what there is none of.
  const whole = { initCode: '0x', paymasterAndData: '0x', ...request };
  const operation = parse(whole, UserOperationStruct, `${ROOT}[0]`);
  if (isSignedBy(operation, { chainId: chain.id, entryPoint }, owner)) return operation;
  throw new InvalidParamsError(
    `${ROOT}[0].signature is not that of ${address}'s owner for this operation. Leave it ` +
      'out to have the operation signed.',
  );
}
