//! Rounds of messages between workers: whoever has sent what a round brings waits for what the others send him in it.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use timely::ExchangeData;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::operators::{Exchange, Input, Inspect, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

use super::ClusterError;

/// A message, for whom it is, and the round in which it was sent.
type Letter<T> = (u64, u64, T);

/// A dataflow that carries messages to the workers that they are for.
pub(super) struct Rounds<T: ExchangeData + Clone> {
    input: InputHandle<u64, CapacityContainerBuilder<Vec<Letter<T>>>>,
    probe: ProbeHandle<u64>,
    arrived: Rc<RefCell<Vec<(u64, T)>>>,
    peers: u64,
}

/// How long a worker sleeps that waits for others, before it looks whether it should end.
const NAP: Duration = Duration::from_millis(20);

impl<T: ExchangeData + Clone> Rounds<T> {
    pub(super) fn new(worker: &mut Worker) -> Self {
        let mut input = InputHandle::new();
        let probe = ProbeHandle::new();
        let arrived = Rc::new(RefCell::new(Vec::new()));
        let into = Rc::clone(&arrived);
        worker.dataflow(|scope| {
            scope
                .input_from(&mut input)
                .exchange(|(to, ..): &Letter<T>| *to)
                .inspect(move |(_, round, message): &Letter<T>| {
                    into.borrow_mut().push((*round, message.clone()));
                })
                .probe_with(&probe);
        });
        Self {
            input,
            probe,
            arrived,
            peers: worker.peers() as u64,
        }
    }

    /// Sends a message to the worker of this number.
    pub(super) fn send(&mut self, to: u64, message: T) {
        let round = *self.input.time();
        self.input.send((to, round, message));
    }

    /// Sends it to all, this one included.
    pub(super) fn send_to_all(&mut self, message: &T) {
        for to in 0..self.peers {
            self.send(to, message.clone());
        }
    }

    /// What has arrived by now.
    pub(super) fn take(&mut self) -> Vec<T> {
        let arrived = self.arrived.take().into_iter();
        arrived.map(|(_, message)| message).collect()
    }

    /// What was sent in the rounds that have ended: others may have begun the next one.
    pub(super) fn take_ended(&mut self) -> Vec<T> {
        let now = *self.input.time();
        let arrived = self.arrived.take().into_iter();
        let (ended, early) = arrived.partition(|(round, _)| *round < now);
        self.arrived.replace(early);
        let ended: Vec<(u64, T)> = ended;
        ended.into_iter().map(|(_, message)| message).collect()
    }

    /// Ends the round, and waits until all that was sent in it has arrived, everywhere. `check` says whether to go on waiting, and may
    /// take what arrives meanwhile.
    pub(super) fn end(
        &mut self,
        worker: &mut Worker,
        mut check: impl FnMut(&mut Self) -> Result<(), ClusterError>,
    ) -> Result<(), ClusterError> {
        let next = self.input.time() + 1;
        self.input.advance_to(next);
        self.input.flush();
        while self.probe.less_than(&next) {
            worker.step_or_park(Some(NAP));
            check(self)?;
        }
        Ok(())
    }
}
