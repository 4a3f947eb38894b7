import {
  InternalError,
  InvalidParamsError,
  LimitExceededError,
  NotFoundError,
  TollkeeperError,
  UnauthorizedError,
  UnavailableError,
  UnsupportedMethodError,
  UserRejectedError,
} from '../../src/errors';

describe('an error', () => {
  // Codes as JSON-RPC 2.0, EIP-1193 and EIP-1474 give them.
  it.each([
    [InvalidParamsError, 'InvalidParamsError', -32602],
    [UserRejectedError, 'UserRejectedError', 4001],
    [UnauthorizedError, 'UnauthorizedError', 4100],
    [UnsupportedMethodError, 'UnsupportedMethodError', 4200],
    [NotFoundError, 'NotFoundError', -32001],
    [UnavailableError, 'UnavailableError', -32002],
    [LimitExceededError, 'LimitExceededError', -32005],
    [InternalError, 'InternalError', -32603],
  ])('carries name, code, message, context and cause: %p', (Class, name, code) => {
    const cause = new Error('Why.');
    const error = new Class('What happened.', { cause, context: { path: 'a' } });
    expect(error).toBeInstanceOf(TollkeeperError);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name,
      code,
      message: 'What happened.',
      context: { path: 'a' },
      cause,
    });
    expect(new Class('What happened.').context).toStrictEqual({});
  });

  it('says by itself that the user refused', () => {
    expect(new UserRejectedError().message).toBe('The user refused the request.');
  });
});
