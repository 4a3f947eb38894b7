// The two globals of the Snaps platform, in memory.
import { readFile } from 'node:fs/promises';

import type { Json } from '@metamask/utils';

import { compress } from '../../dev/build/shipped';
import { entropyOf } from './entropy';

export type PlatformCall = { method: string; params?: Record<string, Json> };

export type FakePlatform = {
  asked: PlatformCall[];
  /** Overrides the default answers, by method. */
  answers: Record<string, (params: Record<string, Json>) => Promise<Json>>;
  request: (call: PlatformCall) => Promise<Json>;
};

export function createFakePlatform(): FakePlatform {
  const documents = new Map<Json | undefined, Json>();
  const platform: FakePlatform = {
    asked: [],
    answers: {
      snap_getState: (params) =>
        Promise.resolve(documents.get(params.encrypted) ?? null),
      snap_setState: ({ encrypted, value = null }) => {
        documents.set(encrypted, structuredClone(value));
        return Promise.resolve(null);
      },
      snap_getEntropy: ({ salt, source }) =>
        Promise.resolve(entropyOf(salt as string, source as string | undefined)),
      snap_manageAccounts: () => Promise.resolve(null),
      snap_getPreferences: () => Promise.resolve({ locale: 'en' }),
      snap_getFile: async ({ path }) => {
        // Reads the source from which the file is built.
        const source = (path as string).replace(/^dist\/files\/(.+)\.deflate$/u, '$1');
        const file = compress(await readFile(source, 'utf8'));
        return Buffer.from(file).toString('base64');
      },
    },
    request: async (call) => {
      platform.asked.push(call);
      const answer = platform.answers[call.method];
      if (answer) return answer(call.params ?? {});
      throw new Error(`The platform has no ${call.method}.`);
    },
  };
  return platform;
}

export function paramsOf({ asked }: FakePlatform, method: string): unknown[] {
  return asked.filter((call) => call.method === method).map(({ params }) => params);
}

/** Matches the params that save a document with these fields. */
export function toSaved(encrypted: boolean, fields: Record<string, Json>): object {
  return { encrypted, value: expect.objectContaining(fields) as Json };
}
