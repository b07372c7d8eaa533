export { accrualOf, type Link, settledAmountsOf } from './accrual.ts'
