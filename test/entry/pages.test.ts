// Dialogs with several pages: they show all signed content, and the user must see every page before
// signing.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';
import { verifyMessage, verifyTypedData } from 'viem';
import type { Hex } from 'viem';

import { dataOf } from '../fixtures/trust/call';
import { createCallsBench } from '../support/calls-bench';
import { withDialog } from '../support/open-dialog';
import type { OpenDialog } from '../support/open-dialog';
import { createOperationBench } from '../support/operation-bench';
import { operationOf } from '../support/operations';
import { createSendBench } from '../support/send-bench';
import { elementsOf, textOf, textsOf, warningsOf, writeView } from '../support/view';

const addressOf = (number: number): Hex =>
  `0x${(0xabcdef000000 + number).toString(16).padStart(40, '0')}`;

const calls = (count: number): { to: Hex; value: Hex; data: Hex }[] =>
  Array.from({ length: count }, (_, index) => ({
    to: addressOf(index),
    value: '0x1',
    data: '0x',
  }));

const range = (first: number, last: number, count: number): string =>
  textOf('pager.calls', {
    first: String(first),
    last: String(last),
    count: String(count),
  });

function pageButtonsOf(content: JSXElement): { name: string; isEnabled: boolean }[] {
  return elementsOf(content)
    .filter(({ props }) => String(props.name).startsWith('page:'))
    .map(({ props }) => ({ name: String(props.name), isEnabled: !props.disabled }));
}

async function readAll(dialog: OpenDialog): Promise<JSXElement[]> {
  const pages = [dialog.content()];
  for (;;) {
    const next = pageButtonsOf(dialog.content()).at(-1);
    if (!next?.isEnabled) return pages;
    await dialog.press(next.name);
    pages.push(dialog.content());
  }
}

const addressesIn = (pages: readonly JSXElement[]): string[] =>
  pages.flatMap((page) =>
    elementsOf(page)
      .filter(({ type }) => type === 'Address')
      .map(({ props }) => String(props.address)),
  );

describe('the calls of an ordinary account', () => {
  it('are signed only after every page has been seen', async () => {
    const bench = await createCallsBench();
    const batch = calls(57);
    let pages: JSXElement[] = [];
    await withDialog(
      bench.app,
      async () => bench.sendCalls({ calls: batch }),
      async (dialog) => {
        expect(dialog.canApprove()).toBe(false);
        await dialog.press(dialog.approval());
        expect(bench.pool.size).toBe(0);
        pages = await readAll(dialog);
        expect(dialog.canApprove()).toBe(true);
      },
    );
    expect(
      pages.map((page) => writeView(page).includes(textOf('pager.unseen'))),
    ).toEqual([true, true, false]);
    const ranges = [range(1, 20, 57), range(21, 40, 57), range(41, 57, 57)];
    for (const [index, page] of pages.entries()) {
      expect(textsOf(page)).toContain(ranges[index]);
    }
    expect(addressesIn(pages)).toEqual(
      expect.arrayContaining(batch.map(({ to }) => to)),
    );
    const sent = bench.signed().map(({ to }) => to);
    expect(sent).toStrictEqual(batch.map(({ to }) => to));
  });

  it('cannot be approved while a page is unseen', async () => {
    const bench = await createCallsBench();
    await withDialog(
      bench.app,
      async () => bench.sendCalls({ calls: calls(57) }),
      async (dialog) => {
        await dialog.press('page:2:1');
        expect(dialog.canApprove()).toBe(false);
        await dialog.press(dialog.approval());
        // The second press is on the screen before page 2, so the user has not seen page 2.
        await dialog.press('page:1:2');
        await dialog.press('page:0:2');
        expect(dialog.canApprove()).toBe(false);
        await dialog.press(dialog.approval());
        expect(bench.pool.size).toBe(0);
      },
    );
    expect(bench.pool.size).toBe(57);
  });

  it('keep the chosen fees when the user turns the pages', async () => {
    const bench = await createCallsBench();
    await withDialog(
      bench.app,
      async () => bench.sendCalls({ calls: calls(21) }),
      async (dialog) => {
        await dialog.fill('fee.choice', 'high');
        await readAll(dialog);
        expect(dialog.canApprove()).toBe(true);
      },
    );
    const fees = bench.signed().map(({ maxFeePerGas }) => maxFeePerGas);
    expect(new Set(fees)).toStrictEqual(new Set([2_100_000_000n]));
  });

  it('have no page buttons if they fit on one page', async () => {
    const bench = await createCallsBench();
    await withDialog(
      bench.app,
      async () => bench.sendCalls({ calls: calls(20) }),
      async (dialog) => {
        expect(dialog.canApprove()).toBe(true);
        expect(pageButtonsOf(dialog.content())).toStrictEqual([]);
        expect(warningsOf(dialog.content())).toStrictEqual([
          textOf('warning.notAtomic'),
        ]);
        await Promise.resolve();
      },
    );
    expect(bench.pool.size).toBe(20);
  });
});

describe('the inner calls of a transaction', () => {
  it('are on several pages if their data is long', async () => {
    const bench = await createCallsBench();
    const content: Hex = `0x12345678${'ab'.repeat(50_000)}`;
    const data = Array.from({ length: 8 }).reduce<Hex>(
      (inner) => dataOf('multicall(bytes[])', [inner]),
      content,
    );
    let pages: JSXElement[] = [];
    await withDialog(
      bench.app,
      async () => bench.send({ to: addressOf(1), data, gas: '0xf00000' }),
      async (dialog) => {
        pages = await readAll(dialog);
      },
    );
    expect(pages.map((page) => writeView(page).length < 400_000)).toStrictEqual(
      pages.map(() => true),
    );
    expect(pages.length).toBeGreaterThan(1);
  });
});

describe('the calls of a smart account', () => {
  it('are signed only after every page has been seen', async () => {
    const bench = await createCallsBench();
    const batch = calls(57);
    const fields = { from: bench.smart.address, calls: batch, atomicRequired: true };
    let pages: JSXElement[] = [];
    await withDialog(
      bench.app,
      async () => bench.sendCalls(fields),
      async (dialog) => {
        expect(dialog.canApprove()).toBe(false);
        await dialog.press(dialog.approval());
        expect(bench.operations.size).toBe(0);
        pages = await readAll(dialog);
      },
    );
    expect(pages).toHaveLength(3);
    expect(addressesIn(pages)).toEqual(
      expect.arrayContaining(batch.map(({ to }) => to)),
    );
    expect(bench.operations.size).toBe(1);
  });

  it.each(['0.6', '0.7', '0.8', '0.9'] as const)(
    'are all shown for a prepared operation (EntryPoint %s)',
    async (version) => {
      const bench = await createOperationBench({ version });
      const batch = calls(57).map(({ to }) => ({ to, value: '0x0', data: '0x' }));
      const { callData } = (await bench.call('eth_prepareUserOperation', batch)) as {
        callData: Hex;
      };
      const operation = { ...operationOf(bench.address), callData };
      let pages: JSXElement[] = [];
      const signature = await withDialog(
        bench.app,
        async () => bench.call('eth_signUserOperation', [operation as Json]),
        async (dialog) => {
          pages = await readAll(dialog);
        },
      );
      expect(
        pages.map((page) => textsOf(page).includes(range(21, 40, 57))),
      ).toStrictEqual([false, true, false]);
      expect(addressesIn(pages)).toEqual(
        expect.arrayContaining(batch.map(({ to }) => to)),
      );
      expect(signature).toMatch(/^0x[0-9a-f]{130}$/u);
    },
  );
});

describe('a deployment', () => {
  it('is shown in full and without a warning at 48 kB', async () => {
    const bench = await createSendBench();
    const data: Hex = `0x60${'5b'.repeat(49_151)}`;
    let content: unknown;
    await withDialog(
      bench.app,
      async () => bench.send({ to: null, value: '0x0', data, gas: '0xe4e1c0' }),
      async (dialog) => {
        content = dialog.content();
        await Promise.resolve();
      },
    );
    expect(warningsOf(content)).toStrictEqual([]);
    expect(textsOf(content)).toContain(data);
    expect(bench.signed().map((sent) => sent.data)).toEqual([data]);
  });
});

describe('typed data', () => {
  const types = {
    EIP712Domain: [{ name: 'chainId', type: 'uint256' }],
    Bulk: [
      { name: 'ids', type: 'uint256[]' },
      { name: 'note', type: 'string' },
    ],
  };

  async function sign(
    message: { ids: string[]; note: string },
    use: (dialog: OpenDialog) => Promise<void>,
  ): Promise<boolean> {
    const bench = await createSendBench();
    const document = { types, primaryType: 'Bulk', domain: { chainId: 1 }, message };
    const address = bench.address as Hex;
    const signature = await withDialog(
      bench.app,
      async () => bench.call('eth_signTypedData_v4', [address, document as Json]),
      use,
    );
    return verifyTypedData({
      address,
      domain: { chainId: 1 },
      types: { Bulk: types.Bulk },
      primaryType: 'Bulk',
      message: { ...message, ids: message.ids.map(BigInt) },
      signature: signature as Hex,
    });
  }

  const numbers = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => String(index));

  it('is shown on one page if it has 107 values', async () => {
    const isValid = await sign({ ids: numbers(106), note: 'x' }, async (dialog) => {
      const rows = elementsOf(dialog.content()).filter(({ type }) => type === 'Row');
      expect(rows.map(({ props }) => props.label)).toContain('106');
      expect(warningsOf(dialog.content())).not.toContainEqual(
        expect.stringMatching(/only/iu),
      );
      expect(dialog.canApprove()).toBe(true);
      await Promise.resolve();
    });
    expect(isValid).toBe(true);
  });

  it('is signed only after every page has been seen if it has many values', async () => {
    const note = Array.from({ length: 60_000 }, (_, index) => index % 10).join('');
    const isValid = await sign({ ids: numbers(1_000), note }, async (dialog) => {
      expect(dialog.canApprove()).toBe(false);
      const pages = await readAll(dialog);
      const texts = pages.flatMap(textsOf);
      for (const id of [0, 500, 999]) expect(texts).toContain(String(id));
      const pieces = texts.filter((text) => /^[0-9]{10000}$/u.test(text));
      expect(pieces.join('')).toBe(note);
      expect(dialog.canApprove()).toBe(true);
      // The user can now approve on any page.
      const [back] = pageButtonsOf(dialog.content());
      await dialog.press(back?.name ?? '');
      expect(dialog.canApprove()).toBe(true);
    });
    expect(isValid).toBe(true);
  });
});

describe('a message', () => {
  it('is signed only after every page has been seen if it is long', async () => {
    const bench = await createSendBench();
    const address = bench.address as Hex;
    const message = Array.from({ length: 25_000 }, (_, index) => index % 10).join('');
    let shown = '';
    const signature = (await withDialog(
      bench.app,
      async () => bench.call('personal_sign', [message, address]),
      async (dialog) => {
        expect(dialog.canApprove()).toBe(false);
        const pages = await readAll(dialog);
        shown = pages
          .map((page) => elementsOf(page).find(({ type }) => type === 'Copyable'))
          .map((copyable) => String(copyable?.props.value))
          .join('');
      },
    )) as Hex;
    expect(shown).toBe(message);
    expect(await verifyMessage({ address, message, signature })).toBe(true);
  });
});
