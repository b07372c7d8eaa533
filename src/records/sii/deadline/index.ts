export { daysBetween } from './calendar.ts'
