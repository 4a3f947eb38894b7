// End-to-end tests of a dapp, examples/viem, with Tollkeeper in its page.
import { test as base, expect } from '@playwright/test';
import { tollkeeper } from 'tollkeeper-snap/playwright';
import type { PageWallet } from 'tollkeeper-snap/playwright';

const test = base.extend<{ wallet: PageWallet }>(
  tollkeeper({ chains: [{ id: 11155111 }] }),
);

test.beforeEach(async ({ page, wallet }) => {
  await page.goto('/viem/');
  await page.getByRole('button', { name: 'Sign' }).click();
  const { title } = await wallet.approve();
  expect(title).toBe('Connect accounts');
});

test('signs the message that the user approves', async ({ page, wallet }) => {
  const { findings, text } = await wallet.approve();
  expect(findings).toEqual([]);
  expect(text).toContain('Hello from viem');
  await expect(page.locator('output')).toHaveText(/^0x[0-9a-f]{130}$/);
});

test('reports that the user refused', async ({ page, wallet }) => {
  await wallet.reject();
  expect(wallet.lastReview()).toMatchObject({ method: 'personal_sign' });
  await expect(page.locator('output')).toContainText('User rejected the request');
});
