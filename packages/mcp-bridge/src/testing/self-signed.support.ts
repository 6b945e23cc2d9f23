import { generateKeyPairSync, sign } from 'node:crypto'

/** Writes a value of DER: its tag, its length and its bytes. */
function write(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat(parts)
  const { length } = bytes
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), bytes])
}

const [INTEGER, BITS, OBJECT, UTF8, UTC, SEQUENCE, SET] = [0x02, 0x03, 0x06, 0x0c, 0x17, 0x30, 0x31]

/** Makes a certificate that only its own key has signed, with the key, for a server of TLS. No client trusts it. */
export function makeSelfSigned(host: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const algorithm = write(SEQUENCE, write(OBJECT, Buffer.from([0x2b, 0x65, 0x70])))
  const commonName = write(OBJECT, Buffer.from([0x55, 0x04, 0x03]))
  const name = write(
    SEQUENCE,
    write(SET, write(SEQUENCE, commonName, write(UTF8, Buffer.from(host)))),
  )
  const times = ['200101000000Z', '491231235959Z'].map((each) => write(UTC, Buffer.from(each)))
  const content = write(
    SEQUENCE,
    write(INTEGER, Buffer.from([1])),
    algorithm,
    name,
    write(SEQUENCE, ...times),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = write(BITS, Buffer.from([0]), sign(undefined, content, privateKey))
  const cert = write(SEQUENCE, content, algorithm, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}
