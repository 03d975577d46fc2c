import net from 'node:net';
import type { TestContext } from 'node:test';

/** A packet of the JDWP: a reply has `error`, a command has `command` as `set.number`. */
export interface Packet {
  readonly id: number;
  readonly command?: string;
  readonly error?: number;
  readonly data: Buffer;
}

const HANDSHAKE = 'JDWP-Handshake';

/** As much of a Java debugger as shows that it has a JVM at the other end (JDWP specification). */
export class JdwpClient {
  private readonly socket: net.Socket;
  private buffer = Buffer.alloc(0);
  private next = 1;
  private wake = () => {};

  private constructor(socket: net.Socket) {
    this.socket = socket;
    socket.on('error', () => undefined);
    socket.on('data', chunk => {
      this.buffer = Buffer.concat([this.buffer, chunk]);
      this.wake();
    });
    socket.on('close', () => this.wake());
  }

  /** Connects and shakes hands. */
  static async connect(t: TestContext, port: number): Promise<JdwpClient> {
    const client = new JdwpClient(net.connect(port, '127.0.0.1'));
    t.after(() => client.socket.destroy());
    client.socket.write(HANDSHAKE);
    const answer = (await client.take(HANDSHAKE.length)).toString('latin1');
    if (answer !== HANDSHAKE) throw new Error(`no handshake but ${answer}`);
    return client;
  }

  /** The next packet that the JVM sends. */
  async packet(): Promise<Packet> {
    const header = await this.take(11);
    const data = await this.take(header.readUInt32BE(0) - 11);
    const isReply = (header[8]! & 0x80) !== 0;
    const about = isReply ? { error: header.readUInt16BE(9) } : { command: `${header[9]}.${header[10]}` };
    return { id: header.readUInt32BE(4), ...about, data };
  }

  /** Sends a command without arguments and waits for its reply; events on the way are left out. */
  async send(set: number, command: number): Promise<Packet> {
    const id = this.next++;
    const bytes = Buffer.alloc(11);
    bytes.writeUInt32BE(11, 0);
    bytes.writeUInt32BE(id, 4);
    bytes[9] = set;
    bytes[10] = command;
    this.socket.write(bytes);
    for (;;) {
      const packet = await this.packet();
      if (packet.error !== undefined && packet.id === id) return packet;
    }
  }

  private async take(length: number): Promise<Buffer> {
    while (this.buffer.length < length) {
      if (this.socket.destroyed) throw new Error(`the connection ended after ${this.buffer.length} bytes`);
      await new Promise<void>(resolve => (this.wake = resolve));
    }
    const taken = this.buffer.subarray(0, length);
    this.buffer = this.buffer.subarray(length);
    return taken;
  }
}
