// Jest makes every error keep 100 stack frames. Property tests throw thousands of errors, and
// collecting their frames takes most of the time. Their failures report the failing values, so that
// few frames are enough.
Error.stackTraceLimit = 2;
