// Made when it is needed: the first one takes as long as the start of a process.
let numbers: Intl.NumberFormat | undefined

/** A number of things, for example `1,234 lines`. */
export function countOf(count: number, one: string, several = `${one}s`): string {
  numbers ??= new Intl.NumberFormat('en')
  return `${numbers.format(count)} ${count === 1 ? one : several}`
}
