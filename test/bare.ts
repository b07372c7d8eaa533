/** Whether programs that are found by absolute paths are hidden: `CUADRA_TEST_BARE=1`. */
export const isBare: boolean = process.env.CUADRA_TEST_BARE === '1'
