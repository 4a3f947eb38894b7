// Reads openrpc.json, which specifies the methods.
import type { Json } from '@metamask/utils';

import document from '../../openrpc.json' with { type: 'json' };

export type JsonSchema = Record<string, Json>;

export type ContractParam = {
  name: string;
  summary: string;
  required: boolean;
  schema: JsonSchema;
};

type ContractError = { code: number; message: string };

export type ContractMethod = {
  name: string;
  tags: { name: string }[];
  summary: string;
  description?: string;
  params: ContractParam[];
  result: { name: string; schema: JsonSchema };
  errors: ({ $ref: string } | ContractError)[];
  examples: {
    name: string;
    params: { name: string; value: Json }[];
    result: { value: Json };
  }[];
  'x-open-to': string[];
  'x-asks-user': string;
  'x-passes-on'?: string;
  'x-takes-envelope'?: boolean;
  'x-open-ended'?: boolean;
};

type Contract = {
  info: { version: string };
  methods: ContractMethod[];
  components: {
    schemas: Record<string, JsonSchema>;
    errors: Record<string, ContractError>;
  };
};

export const contract = document as unknown as Contract;

export type Example = { name: string; params: Json[]; result: Json };

export const siteMethods = contract.methods.filter(isForSites);
export const companionMethods = contract.methods.filter((each) => !isForSites(each));

export function listExamples({ examples }: ContractMethod): Example[] {
  return examples.map(({ name, params, result }) => ({
    name,
    params: params.map(({ value }) => value),
    result: result.value,
  }));
}

export function getContractMethod(name: string): ContractMethod {
  const found = contract.methods.find((method) => method.name === name);
  if (!found) throw new Error(`openrpc.json has no method ${name}.`);
  return found;
}

function isForSites(method: ContractMethod): boolean {
  return method['x-open-to'].includes('dapp');
}
