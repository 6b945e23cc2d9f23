import { RE2JS } from 're2js'

interface LinearPattern {
  test(text: string): boolean
  toString(): string
}

/**
 * Compiles an ECMAScript pattern for an engine whose time is linear in the text.
 * Throws for what such an engine cannot do: look-around, back-references, huge repetitions.
 */
export function compileLinearPattern(pattern: string, flags: string): LinearPattern {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
  return {
    test: (text) => compiled.matcher(text).find(),
    // Ajv keeps compiled patterns by their text: without it every pattern would become the first one.
    toString: () => `/${pattern}/${flags}`,
  }
}

/** Ajv's option `code.regExp`. */
export const linearEngine = Object.assign(compileLinearPattern, {
  code: 'compileLinearPattern',
})
