import type { ParameterDefinition } from './parameter-definition.ts'

/**
 * The arguments whose parameters say `code` or `allow_dash`, named as in placeholders of a command: `path`, `range.first`, and
 * `files.*.path` for every item of a list. A name that placeholders cannot write (with a dot, or `*` itself) is left out.
 */
export function argumentsMarked(
  parameters: Readonly<Record<string, ParameterDefinition>>,
  keyword: 'code' | 'allow_dash',
): readonly string[] {
  return Object.entries(parameters).flatMap(([name, definition]) =>
    name.includes('.') || name === '*' ? [] : markedIn(name, definition, keyword),
  )
}

function markedIn(
  path: string,
  { items, properties = {}, ...keywords }: ParameterDefinition,
  keyword: 'code' | 'allow_dash',
): readonly string[] {
  if (keywords[keyword] === true) return [path]
  return [
    ...argumentsMarked(properties, keyword).map((name) => `${path}.${name}`),
    ...(items ? markedIn(`${path}.*`, items, keyword) : []),
  ]
}
