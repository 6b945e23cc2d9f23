const numbers = new Intl.NumberFormat('en')

/** A number of things, for example `1,234 lines`. */
export function countOf(count: number, one: string, several = `${one}s`): string {
  return `${numbers.format(count)} ${count === 1 ? one : several}`
}
