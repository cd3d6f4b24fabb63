# Stands for systemd with a socket unit: opens a socket, starts a command with it as descriptor 3, and starts the
# command anew, with the same socket, whenever the command ends. Prints the port, which LISTEN_PORT can choose. SIGTERM
# ends both.
use strict;
use warnings;
use POSIX ();
use Socket;

# Descriptors up to this number outlive exec.
$^F = 255;
socket(my $listener, PF_INET, SOCK_STREAM, 0) or die "socket: $!";
setsockopt($listener, SOL_SOCKET, SO_REUSEADDR, 1);
bind($listener, sockaddr_in($ENV{LISTEN_PORT} // 0, INADDR_LOOPBACK)) or die "bind: $!";
listen($listener, 4096) or die "listen: $!";
my ($port) = sockaddr_in(getsockname($listener));
$| = 1;
print "$port\n";

my $child;
my $ending = 0;
$SIG{TERM} = sub { $ending = 1; kill 'TERM', $child if $child };
until ($ending) {
  $child = fork();
  if ($child == 0) {
    POSIX::dup2(fileno($listener), 3);
    POSIX::close(fileno($listener)) if fileno($listener) != 3;
    read_variables($ENV{ENVIRONMENT_FILE}) if $ENV{ENVIRONMENT_FILE};
    @ENV{'LISTEN_FDS', 'LISTEN_PID'} = (1, $$);
    exec @ARGV or die "exec: $!";
  }
  print "started $child\n";
  waitpid($child, 0);
}

# As systemd reads EnvironmentFile before each start.
sub read_variables {
  open(my $file, '<', shift) or die "open: $!";
  while (<$file>) { $ENV{$1} = $2 if /^(\w+)=(.*)$/ }
}
