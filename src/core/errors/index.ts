export { ConditionError, isCondition } from './conditions.ts'
export { CuadraError, type ErrorKind, required, UsageError } from './cuadra-error.ts'
