/** Prints what a test has counted. */
export const figure = (text: string): void => console.log(text)
