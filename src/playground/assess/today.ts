/** The day it is in Spain: rules compare with it, and the engine reads no clock. */
export const todayInMadrid = (now = new Date()): string =>
  // Swedish writes dates as ISO 8601 does.
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid' }).format(now)
