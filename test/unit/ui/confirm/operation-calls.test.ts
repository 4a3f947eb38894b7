import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import { encodeFunctionData, getContractAddress } from 'viem';

import { encodeIntents, toCall } from '../../../../src/eth/account-calls';
import type { Intent } from '../../../../src/eth/account-calls';
import { DETERMINISTIC_DEPLOYER } from '../../../../src/eth/entry-point';
import type { Hex } from '../../../../src/eth/hex';
import { UserOperationConfirmation } from '../../../../src/ui/confirm/user-operation';
import { OPERATION } from '../../../support/plain-operation';
import { TO } from '../../../support/transactions';
import { toViemAbi } from '../../../support/viem-abi';
import {
  drawPage,
  textOf,
  textsOf,
  translate,
  warningsOf,
} from '../../../support/view';

const drawData = (callData: Hex): JSXElement =>
  drawPage(
    UserOperationConfirmation({
      translate,
      origin: 'https://dapp.example',
      chain: 'eip155:1',
      entryPoint: '0.7',
      operation: { ...OPERATION, callData },
      alerts: [],
    }),
  );

const draw = (...intents: Intent[]): JSXElement =>
  drawData(encodeIntents('0.7', intents));

const encode = (signature: string, args: unknown[]): Hex =>
  encodeFunctionData({ abi: toViemAbi(signature), args });

const call = (data: Hex, value = 0n): Intent => ({ to: TO, value, data });

const coins = (amount: string): string => `${amount} ETH`;

/** The texts of the first call. */
function firstCallOf(content: JSXElement): string[] {
  const texts = textsOf(content);
  const start = texts.indexOf(textOf('userOperation.call', { number: '1' }));
  return texts.slice(start, texts.indexOf(textOf('field.paidBy')));
}

describe('the calls of a user operation', () => {
  it('show the function, each argument and the bytes', () => {
    const data = encode('approve(address,uint256)', [TO, 1_000n]);
    expect(firstCallOf(draw(call(data, 5n)))).toStrictEqual([
      textOf('userOperation.call', { number: '1' }),
      TO,
      textOf('field.value'),
      coins('0.000000000000000005'),
      textOf('field.meaning'),
      textOf('call.approve'),
      textOf('field.function'),
      'approve(address,uint256)',
      'address',
      TO,
      'uint256',
      '1000',
      textOf('data.call', { size: '68 B' }),
      data,
    ]);
  });

  it('show an approval without limit in words', () => {
    const data = encode('approve(address,uint256)', [TO, 2n ** 256n - 1n]);
    expect(textsOf(draw(call(data)))).toContain(textOf('value.largest'));
  });

  it('show the bytes alone of a function that is not known, and none of none', () => {
    expect(firstCallOf(draw(call('0xdeadbeef'))).slice(-4)).toStrictEqual([
      textOf('field.function'),
      textOf('function.unknown', { selector: '0xdeadbeef' }),
      textOf('data.call', { size: '4 B' }),
      '0xdeadbeef',
    ]);
    expect(firstCallOf(draw(call('0x'))).slice(-2)).toStrictEqual([
      textOf('field.callData'),
      textOf('data.none'),
    ]);
  });

  it('show the address of a contract to be', () => {
    const intent: Intent = { to: null, value: 3n, data: '0x600a' };
    const address = getContractAddress({
      opcode: 'CREATE2',
      from: DETERMINISTIC_DEPLOYER,
      salt: `0x${'00'.repeat(32)}`,
      bytecode: '0x600a',
    }).toLowerCase();
    expect(firstCallOf(draw(intent))).toStrictEqual([
      textOf('userOperation.call', { number: '1' }),
      DETERMINISTIC_DEPLOYER.toLowerCase(),
      textOf('field.creation'),
      address,
      textOf('field.value'),
      coins('0.000000000000000003'),
      textOf('field.function'),
      textOf('function.unknown', { selector: '0x00000000' }),
      textOf('data.call', { size: '34 B' }),
      toCall(intent).data,
    ]);
  });

  it('have their values added up if they are several', () => {
    const texts = textsOf(draw(call('0x', 2n), call('0x', 3n)));
    expect(texts[texts.indexOf(textOf('field.totalValue')) + 1]).toBe(
      coins('0.000000000000000005'),
    );
    expect(textsOf(draw(call('0x', 2n)))).not.toContain(textOf('field.totalValue'));
  });

  it('show what is known of call data that are none', () => {
    const data = encode('withdrawDepositTo(address,uint256)', [TO, 9n]);
    const content = drawData(data);
    expect(textsOf(content)).toEqual(
      expect.arrayContaining(['withdrawDepositTo(address,uint256)', TO, '9', data]),
    );
    expect(warningsOf(content)).toStrictEqual([]);
  });

  it('show long bytes whole, and the beginning of long arguments', () => {
    const data = encode('multicall(bytes[])', [[`0x${'ab'.repeat(1_000)}`]]);
    const texts = textsOf(draw(call(data)));
    expect(texts).toContain(data);
    expect(texts).toContain(`[0x${'ab'.repeat(98)}a…`);
  });

  it('say where bytes are cut that are too long for a page', () => {
    const texts = textsOf(draw(call(`0x${'ab'.repeat(80_000)}`)));
    const title = textOf('raw.title');
    expect(texts).toContain(textOf('data.cut', { title }));
    expect(texts).toContain(`${title} (1/2)`);
  });

  it('stay under a thousand texts, whatever they are', () => {
    const longest = encode(
      'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
      [TO, TO, 1n, 1n, true, 1, `0x${'ab'.repeat(32)}`, `0x${'ab'.repeat(32)}`],
    );
    const content = draw(...Array<Intent>(500).fill(call(longest)));
    expect(textsOf(content).length).toBeLessThan(1_000);
  });
});
