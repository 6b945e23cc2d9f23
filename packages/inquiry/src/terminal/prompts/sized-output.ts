const COLUMNS = 80
const ROWS = 24

/**
 * The same terminal with a size to lay out for: pseudo-terminals that nobody gave one say they have no columns, and the library
 * of prompts would put one character in a line.
 */
export function sizedOutput(output: NodeJS.WriteStream): NodeJS.WriteStream {
  return new Proxy(output, {
    get(target, key) {
      if (key === 'columns') return target.columns || COLUMNS
      if (key === 'rows') return target.rows || ROWS
      const value: unknown = Reflect.get(target, key, target)
      // oxlint-disable-next-line typescript/no-unsafe-return -- whatever the terminal has
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
