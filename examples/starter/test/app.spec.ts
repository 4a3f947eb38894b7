// Tests the dapp with Tollkeeper in its page, without an extension and without valuable keys.
import { test as base, expect } from '@playwright/test';
import { tollkeeper } from 'tollkeeper-snap/playwright';
import type { PageWallet } from 'tollkeeper-snap/playwright';

const test = base.extend<{ wallet: PageWallet }>(
  tollkeeper({ chains: [{ id: 11155111 }] }),
);

test('connects, and signs the message that the user approves', async ({
  page,
  wallet,
}) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Tollkeeper', exact: true }).click();
  await wallet.approve();
  await expect(page.getByText(/^0x[0-9a-f]{40}$/i)).toBeVisible();

  await page.getByRole('button', { name: 'Sign' }).click();
  const { findings, text } = await wallet.approve();
  expect(findings).toEqual([]);
  expect(text).toContain('Hello from wagmi');
  await expect(page.locator('output')).toHaveText(/^0x[0-9a-f]{130}$/);
});
