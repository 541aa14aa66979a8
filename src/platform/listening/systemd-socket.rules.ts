/** The first file descriptor passed by a service manager (sd_listen_fds(3)). */
export const FIRST_GIVEN = 3;

/** Returns whether a service manager, such as systemd, has passed a listening socket to the process with this id. */
export function isSocketGiven({ LISTEN_PID, LISTEN_FDS }: Record<string, string | undefined>, pid: number): boolean {
  return LISTEN_PID === String(pid) && /^[1-9]\d{0,3}$/.test(LISTEN_FDS ?? '');
}
