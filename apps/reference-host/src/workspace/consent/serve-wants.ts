import { resolve } from 'node:path'
import type { Configuration } from '../configuration/configuration.ts'
import { orderedJson } from '../files/hash-json.ts'
import { showPath } from '../files/real-path.ts'
import { quote, type WantLine } from './want-line.ts'

/** Returns the lines about the clients of a service over HTTP. Each change of what a client may do is a new want. */
export function serveLines({
  serve = {},
  root,
}: Pick<Configuration, 'serve' | 'root'>): readonly WantLine[] {
  const {
    clients = {},
    groups = {},
    oauth,
    credentials_key_file: keyFile,
    trusted_proxies: proxies,
  } = serve
  return [
    ...(keyFile === undefined
      ? []
      : [
          [
            'reads',
            `serve: the key of logins in the file ${showPath(resolve(root, keyFile))}`,
          ] as const,
        ]),
    ...(oauth
      ? [
          [
            'loosens',
            `serve: whoever has a token of ${quote(oauth.issuer)} may use "serve --http": ${orderedJson(oauth)}`,
          ] as const,
        ]
      : []),
    ...Object.entries(clients).map(([name, table]): WantLine => [
      'loosens',
      `serve: the client ${quote(name)} may use "serve --http": ${orderedJson(table)}`,
    ]),
    ...Object.entries(groups).map(([name, table]): WantLine => [
      'loosens',
      `serve: clients of the group ${quote(name)}: ${orderedJson(table)}`,
    ]),
    ...(proxies
      ? [
          [
            'loosens',
            `serve: ${proxies.map(quote).join(', ')} may name the addresses of clients`,
          ] as const,
        ]
      : []),
  ]
}
