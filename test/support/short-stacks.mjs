// Jest has every error keep a hundred frames. Where errors are thrown by the thousand, as
// property tests do, that takes longer than all the rest; they report the values that failed.
Error.stackTraceLimit = 2;
