import { ServicePort } from './platform/listening/service-port.js';
import { startupProblemOf } from './platform/errors/startup-problem.js';

try {
  // Opens the port first: requests wait for the application, whose modules take a while to load.
  const port = await ServicePort.open(process.env, process.pid);
  try {
    const { startService } = await import('./app.setup.js');
    await startService(port);
  } catch (error) {
    await port.refuse();
    throw error;
  }
} catch (error) {
  console.error(startupProblemOf(error));
  process.exit(1);
}
