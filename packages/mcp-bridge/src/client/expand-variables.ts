/** A text with the values of variables in it. */
export interface Expanded {
  expanded: string
  /** Names without a value or default. */
  unset: readonly string[]
}

const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g

/** The names of the variables that a text has as `${NAME}` or `${NAME:-default}`. */
export function findVariables(text: string): readonly string[] {
  return [...text.matchAll(VARIABLE)].map(([, name = '']) => name)
}

/** Puts the values of variables in the place of `${NAME}` and `${NAME:-default}`. Values are not looked through again. */
export function expandVariables(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): Expanded {
  const unset: string[] = []
  const expanded = text.replaceAll(
    VARIABLE,
    (whole, name: string, fallback: string | undefined) => {
      const value = (Object.hasOwn(environment, name) ? environment[name] : undefined) ?? fallback
      if (value === undefined) unset.push(name)
      return value ?? whole
    },
  )
  return { expanded, unset }
}
